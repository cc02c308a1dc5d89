/** Entry of the page about the site. */

import "./base.js";
import "../notices/install.js";
