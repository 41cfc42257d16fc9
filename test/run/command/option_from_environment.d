/*@
 * what:    an environment variable DTRACE_OPT_NAME sets the option of that name
 * run:     -s %file%
 * env:     DTRACE_OPT_QUIET=1
 */
BEGIN { trace("quiet"); trace("\n"); exit(0); }
