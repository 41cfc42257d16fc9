/*@
 * what:    ERROR runs in the faulting firing: its this-> variables are there
 */
BEGIN { this->mark = 42; z = 0; trace(1 / z); }
ERROR { printf("%d\n", this->mark); }
BEGIN { exit(0); }
