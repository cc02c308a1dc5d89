/**
 * Entry of pages that have no script of their own. The entries of the others import it first.
 */

import "../lib/forms.js";
import "./my-games.js";
