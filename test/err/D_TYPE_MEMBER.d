/* @tag: D_TYPE_MEMBER
 * @says: no_such is not a member of struct task_struct
 * @line: 5
 * the operator . or -> with a name that is no member of the struct is an error */
BEGIN { trace(curthread->no_such); }
