/*@
 * what:    reading from address 0x10 raises a fault that reports the address
 */
BEGIN { this->p = (int *)0x10; trace(*this->p); }
BEGIN { exit(0); }
ERROR { printf("code %d addr %x\n", arg4, arg5); }
