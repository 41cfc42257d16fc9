/*@
 * what:    an interval below 200 microseconds is no probe
 * status:  1
 */
tick-100us { exit(0); }
