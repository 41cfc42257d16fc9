/*@
 * what:    the interval of a tick probe accepts all units, in upper and lower case
 * needs:   profile
 */
BEGIN { a = b = c = d = e = f = 0; }
tick-20ms { a = 1; }
tick-20MSEC { b = 1; }
tick-50hz { c = 1; }
tick-50 { d = 1; }
tick-20000us { e = 1; }
tick-20000000ns { f = 1; }
tick-1ms /a && b && c && d && e && f/ { printf("all\n"); exit(0); }
