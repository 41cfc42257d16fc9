/*@
 * what:    a clause can commit or discard its own speculation, which includes the clause's own sample
 * run:     -s %file%
 */
BEGIN { s = speculation(); }
BEGIN { speculate(s); trace(1); discard(s); }
BEGIN { s = speculation(); }
BEGIN { speculate(s); trace(2); }
BEGIN { speculate(s); commit(s); }
BEGIN { exit(0); }
