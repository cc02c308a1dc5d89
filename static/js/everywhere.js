/**
 * What every page has before its own script: forms that are sent once, and the modules that several
 * scripts of one page use.
 */

import "./fill.js";
import "./news.js";
import "./notices.js";
import "./once.js";
import "./settings.js";
import "./socket.js";
import "./text.js";
