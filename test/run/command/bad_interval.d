/*@
 * what:    a tick probe with an interval below 200 microseconds matches no probe
 * status:  1
 * env:     DTRACE_REPRODUCIBLE=
 */
tick-100us { exit(0); }
