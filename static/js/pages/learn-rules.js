/** Entry of the page of a rule set. */

import "./base.js";
import "../learn/moving-pictures.js";
import { Practice } from "../learn/practice.js";

new Practice();
