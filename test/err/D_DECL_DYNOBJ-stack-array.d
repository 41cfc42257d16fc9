/* @tag: D_DECL_DYNOBJ
 * @says: dt_stack_t may not be an array element: its size depends on options
 * @line: 5
 * an array of stack values is an error */
dt_stack_t a[3]; BEGIN { exit(0); }
