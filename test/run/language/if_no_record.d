/*@
 * what:    without -q, a clause prints a line only if a branch with a recording action ran
 * run:     -s %file%
 */
BEGIN { x = 1; if (x == 2) { trace(1); } }
BEGIN { if (x == 1) { trace(2); } }
BEGIN { if (x) {} else { trace(3); } }
BEGIN { exit(0); }
