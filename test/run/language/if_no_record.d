/*@
 * what:    without -q, a clause with recording actions only inside ifs prints a line only if one of these actions ran
 * run:     -s %file%
 */
BEGIN { x = 1; if (x == 2) { trace(1); } }
BEGIN { if (x == 1) { trace(2); } }
BEGIN { if (x) {} else { trace(3); } }
BEGIN { exit(0); }
