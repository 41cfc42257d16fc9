/*@
 * what:    without -q, a clause with only assignments or aggregations prints no line
 * run:     -s %file%
 */
BEGIN { x = 1; }
BEGIN { @a = count(); }
BEGIN { trace(x); exit(0); }
