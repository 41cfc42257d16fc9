/*@
 * what:    setopt() changes an option while the trace runs
 * run:     -s %file%
 */
BEGIN { setopt("quiet"); }
BEGIN { printf("quiet\n"); setopt("stackindent", "3"); exit(0); }
