/*@
 * what:    setopt("quiet") removes the CPU, ID and probe columns of later lines, and the newline of the current line
 * run:     -s %file%
 */
BEGIN { trace(1); setopt("quiet"); }
BEGIN { trace(2); exit(0); }
