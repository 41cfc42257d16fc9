/*@
 * what:    %a prints an address without symbol in hexadecimal
 */
BEGIN { printf("%a|%8a|\n", 0x10, 0x20); exit(0); }
