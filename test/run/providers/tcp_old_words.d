/*@
 * what:    names from other systems' tcp scripts compile, with a TCP flag alias and an unknown process id
 * needs:   root
 */
BEGIN { printf("%d\n", TH_PUSH == TH_PSH && TH_PUSH == 8); exit(0); }
tcp:::connect-request /args[1]->cs_pid != 0/ { printf("a process\n"); }
