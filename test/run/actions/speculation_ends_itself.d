/*@
 * what:    a clause that calls speculate() can commit or discard the same speculation, including the sample of this clause
 * run:     -s %file%
 */
BEGIN { s = speculation(); }
BEGIN { speculate(s); trace(1); discard(s); }
BEGIN { s = speculation(); }
BEGIN { speculate(s); trace(2); }
BEGIN { speculate(s); commit(s); }
BEGIN { exit(0); }
