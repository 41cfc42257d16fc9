/* @tag: D_DECL_DYNOBJ
 * a stack value inside another type: its size is not known yet */
struct q { dt_stack_t s; int y; }; BEGIN { exit(0); }
