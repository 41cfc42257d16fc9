/*@
 * what:    members may have keywords as names
 */
struct s { int x; };
BEGIN { printf("%d\n", offsetof(struct task_struct, comm) > 0); exit(0); }
