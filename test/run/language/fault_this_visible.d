/*@
 * what:    ERROR can read the this-> variables of the probe hit that raised the fault
 */
BEGIN { this->mark = 42; z = 0; trace(1 / z); }
ERROR { printf("%d\n", this->mark); }
BEGIN { exit(0); }
