/*@
 * what:    %a of an address nothing is known of
 */
BEGIN { printf("%a|%8a|\n", 0x10, 0x20); exit(0); }
