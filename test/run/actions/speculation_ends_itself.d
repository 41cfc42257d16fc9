/*@
 * what:    a clause may commit or discard what it speculates; its own sample belongs to it
 * run:     -s %file%
 */
BEGIN { s = speculation(); }
BEGIN { speculate(s); trace(1); discard(s); }
BEGIN { s = speculation(); }
BEGIN { speculate(s); trace(2); }
BEGIN { speculate(s); commit(s); }
BEGIN { exit(0); }
