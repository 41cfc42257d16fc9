/*@
 * what:    the "matched" line counts each probe once for each clause that matches it
 * run:     -s %file%
 */
BEGIN, END { trace(1); }
BEGIN { exit(0); }
