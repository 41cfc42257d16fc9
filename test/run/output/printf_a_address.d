/*@
 * what:    %a prints an address that belongs to no symbol as a hexadecimal number
 */
BEGIN { printf("%a|%8a|\n", 0x10, 0x20); exit(0); }
