/*@
 * what:    DTRACE_OPT_ sets an option
 * run:     -s %file%
 * env:     DTRACE_OPT_QUIET=1
 */
BEGIN { trace("quiet"); trace("\n"); exit(0); }
