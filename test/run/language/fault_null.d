/*@
 * what:    reading through a NULL pointer raises a fault that reports address 0
 */
BEGIN { this->p = (int *)0; trace(*this->p); }
BEGIN { printf("still here\n"); exit(0); }
ERROR { printf("probe %d clause %d code %d addr %x\n", arg1, arg2, arg4, arg5); }
