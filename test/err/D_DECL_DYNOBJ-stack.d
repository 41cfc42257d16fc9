/* @tag: D_DECL_DYNOBJ
 * @says: dt_stack_t may not be a member: its size depends on options
 * @line: 5
 * a stack value inside another type is an error because its size is unknown */
struct q { dt_stack_t s; int y; }; BEGIN { exit(0); }
