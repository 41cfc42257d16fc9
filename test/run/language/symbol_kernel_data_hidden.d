/*@
 * what:    on a kernel that does not list its data, the error says that this is why
 * needs:   no-data-symbols
 * status:  1
 * stderr:  contains
 */
BEGIN { trace(`jiffies); exit(0); }
