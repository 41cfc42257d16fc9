/*@
 * what:    setopt("quiet") applies at once: the line loses its final newline
 * run:     -s %file%
 */
BEGIN { trace(1); setopt("quiet"); }
BEGIN { trace(2); exit(0); }
