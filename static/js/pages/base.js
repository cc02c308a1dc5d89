/**
 * Entry of pages that have no script of their own. The entries of the others import it first.
 */

import "../lib/forms.js";
import "../lib/trusted-types.js";
import "./page-session.js";
import { resumeBlink } from "../lib/title-blink.js";
import "./my-games.js";
import "../notices/bell.js";
import "./worker-start.js";

resumeBlink();
