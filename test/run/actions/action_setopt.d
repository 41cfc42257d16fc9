/*@
 * what:    setopt() switches an option while tracing
 * run:     -s %file%
 */
BEGIN { setopt("quiet"); }
BEGIN { printf("quiet\n"); setopt("stackindent", "3"); exit(0); }
