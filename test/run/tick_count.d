/*@
 * what:    a tick probe fires at its interval
 * needs:   profile
 */
BEGIN { t = timestamp; }
tick-50ms { n++; }
tick-50ms /n == 6/ { this->ms = (timestamp - t) / 1000000; printf("%d %d\n", n, this->ms >= 240 && this->ms < 2000); exit(0); }
