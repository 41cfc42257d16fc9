/* @tag: D_DECL_DYNOBJ
 * @says: dt_stack_t may not be a member: its size depends on options
 * @line: 5
 * a struct member of type dt_stack_t is an error, because the size of a stack depends on options */
struct q { dt_stack_t s; int y; }; BEGIN { exit(0); }
