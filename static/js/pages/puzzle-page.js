/** Entry of the page of a puzzle, also as the position of a day. */

import "./base.js";
import { PuzzlePage } from "../puzzles/puzzle.js";

new PuzzlePage();
