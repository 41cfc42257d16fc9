/*@
 * what:    associative arrays accept pointers as keys and values
 */
struct task_struct *t[struct task_struct *];
BEGIN { t[curthread] = curthread; printf("%d %d\n", t[curthread] == curthread, t[NULL] == NULL); exit(0); }
