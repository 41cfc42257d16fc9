/*@
 * what:    a string for %d: the message has three more lines
 * status:  1
 */
BEGIN { printf("%d\n", "text"); }
