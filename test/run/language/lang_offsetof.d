/*@
 * what:    offsetof() and sizeof of kernel types can be used as constants
 */
int a[sizeof (struct list_head)];
BEGIN { printf("%d %d %d\n", sizeof (a), offsetof(struct list_head, prev), sizeof (struct hlist_head)); exit(0); }
