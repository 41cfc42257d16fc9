/*@
 * what:    on a kernel that does not list data symbols, the error gives that reason
 * needs:   no-data-symbols
 * status:  1
 * stderr:  contains
 */
BEGIN { trace(`jiffies); exit(0); }
