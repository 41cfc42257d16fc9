/*@
 * what:    names that scripts of other systems have: a flag of tcp.h, the process of a connection, which nobody knows here
 * needs:   root
 */
BEGIN { printf("%d\n", TH_PUSH == TH_PSH && TH_PUSH == 8); exit(0); }
tcp:::connect-request /args[1]->cs_pid != 0/ { printf("a process\n"); }
