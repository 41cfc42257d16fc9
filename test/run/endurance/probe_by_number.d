/*@
 * what:    a decimal number instead of a probe description selects the probe with that id
 */
1 { printf("%s\n", probename); exit(0); }
2 { printf("%s\n", probename); }
