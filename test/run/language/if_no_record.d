/*@
 * what:    a line is printed only when an arm that was taken recorded
 * run:     -s %file%
 */
BEGIN { x = 1; if (x == 2) { trace(1); } }
BEGIN { if (x == 1) { trace(2); } }
BEGIN { if (x) {} else { trace(3); } }
BEGIN { exit(0); }
