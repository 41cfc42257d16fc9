/*@
 * what:    setopt("quiet") removes the prefix of later lines and the newline of the current one
 * run:     -s %file%
 */
BEGIN { trace(1); setopt("quiet"); }
BEGIN { trace(2); exit(0); }
