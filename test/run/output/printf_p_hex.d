/*@
 * what:    %p prints hexadecimal digits without 0x
 */
BEGIN { printf("%p %p %20p|\n", 0xdeadbeef, NULL, 0x10); exit(0); }
