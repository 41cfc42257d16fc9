/*@
 * what:    stack(n) has at most n frames, stackframes is the default, and stackindent the indentation
 * run:     -x stackframes=2 -x stackindent=3 -qs %file%
 */
BEGIN { stack(1); printf("|"); stack(); printf("|"); exit(0); }
