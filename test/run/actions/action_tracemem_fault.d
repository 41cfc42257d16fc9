/*@
 * what:    tracemem() of unreadable memory raises a fault
 */
BEGIN { this->p = (char *)16; tracemem(this->p, 8); }
ERROR { printf("%d %x\n", arg4, arg5); exit(0); }
