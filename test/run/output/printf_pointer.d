/*@
 * what:    %p prints hexadecimal digits without 0x
 */
BEGIN { printf("%p %p [%18p]\n", 0xdeadbeef, (void *)0x1234, (uint64_t)0xffffffff81000000); exit(0); }
