/* @tag: D_DECL_DYNOBJ
 * @says: dt_stack_t may not be a member: its size depends on options
 * @line: 5
 * a stack value inside another type: its size is not known yet */
struct q { dt_stack_t s; int y; }; BEGIN { exit(0); }
