/*@
 * what:    a conditional speculate() without data records prints an empty line when it runs
 * run:     -s %file%
 */
BEGIN { s = speculation(); }
BEGIN { if (s) speculate(s); }
BEGIN { if (!s) speculate(s); }
BEGIN { commit(s); }
BEGIN { exit(0); }
