/*@
 * what:    a conditional speculate() that records nothing is a line when it was reached
 * run:     -s %file%
 */
BEGIN { s = speculation(); }
BEGIN { if (s) speculate(s); }
BEGIN { if (!s) speculate(s); }
BEGIN { commit(s); }
BEGIN { exit(0); }
