/*@
 * what:    setopt("quiet") immediately suppresses later prefixes and the current line's newline
 * run:     -s %file%
 */
BEGIN { trace(1); setopt("quiet"); }
BEGIN { trace(2); exit(0); }
