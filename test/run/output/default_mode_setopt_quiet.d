/*@
 * what:    setopt("quiet") removes the line prefix and final newline immediately
 * run:     -s %file%
 */
BEGIN { trace(1); setopt("quiet"); }
BEGIN { trace(2); exit(0); }
