/*@
 * what:    stack(n) prints at most n frames; options stackframes and stackindent set the default number of frames and the indentation
 * run:     -x stackframes=2 -x stackindent=3 -qs %file%
 */
BEGIN { stack(1); printf("|"); stack(); printf("|"); exit(0); }
