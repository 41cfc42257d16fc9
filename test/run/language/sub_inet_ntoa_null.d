/*@
 * what:    inet_ntoa(), inet_ntoa6() and link_ntop() of an unreadable address raise a fault
 * stderr:  exact
 */
BEGIN { trace(inet_ntoa((ipaddr_t *)0)); }
BEGIN { trace(inet_ntoa6((struct in6_addr *)16)); }
BEGIN { trace(link_ntop(1, (void *)24)); }
BEGIN { exit(0); }
