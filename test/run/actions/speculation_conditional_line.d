/*@
 * what:    a clause with a conditional speculate() and no data prints an empty record when it runs
 * run:     -s %file%
 */
BEGIN { s = speculation(); }
BEGIN { if (s) speculate(s); }
BEGIN { if (!s) speculate(s); }
BEGIN { commit(s); }
BEGIN { exit(0); }
