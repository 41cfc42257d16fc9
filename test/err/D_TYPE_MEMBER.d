/* @tag: D_TYPE_MEMBER
 * @says: no_such is not a member of struct task_struct
 * @line: 5
 * ./-> with a name that is not a member */
BEGIN { trace(curthread->no_such); }
