/* @tag: D_DECL_DYNOBJ
 * an array of stack values */
dt_stack_t a[3]; BEGIN { exit(0); }
