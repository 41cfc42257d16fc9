/*@
 * what:    link_ntop() with another hardware type than Ethernet or InfiniBand raises a fault
 * stderr:  exact
 */
int type;
BEGIN { trace(link_ntop(2, alloca(20))); }
BEGIN { type = 1; printf("%s\n", link_ntop(type, alloca(6))); type = 7; trace(link_ntop(type, alloca(20))); }
BEGIN { exit(0); }
