/*@
 * what:    a decimal number is a probe id
 */
1 { printf("%s\n", probename); exit(0); }
2 { printf("%s\n", probename); }
