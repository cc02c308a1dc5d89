/**
 * Entry of a study in a frame of another site. It does not import base.js: such a page has no session,
 * so nothing of its reader is shown or asked for.
 */

import "../lib/trusted-types.js";
import { readJson } from "../lib/dom.js";
import { EmbeddedStudy } from "../studies/embedded-study.js";

new EmbeddedStudy(readJson("study-data"));
