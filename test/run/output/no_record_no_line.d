/*@
 * what:    a clause that only assigns or aggregates prints no line
 * run:     -s %file%
 */
BEGIN { x = 1; }
BEGIN { @a = count(); }
BEGIN { trace(x); exit(0); }
