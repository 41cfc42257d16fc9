/*@
 * what:    tcp scripts written for other systems compile with their names for TCP flags and process ids
 * needs:   root
 */
BEGIN { printf("%d\n", TH_PUSH == TH_PSH && TH_PUSH == 8); exit(0); }
tcp:::connect-request /args[1]->cs_pid != 0/ { printf("a process\n"); }
