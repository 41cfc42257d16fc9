/*@
 * what:    offsetof() gives the offset of a member of a kernel struct
 */
struct s { int x; };
BEGIN { printf("%d\n", offsetof(struct task_struct, comm) > 0); exit(0); }
