/*@
 * what:    if /proc/kallsyms does not list kernel variables, the error for such a variable gives this reason
 * needs:   no-data-symbols
 * status:  1
 * stderr:  contains
 */
BEGIN { trace(`jiffies); exit(0); }
