/* @tag: D_STACK_SIZE
 * @says: stack( ) argument #1 must be a non-zero positive integer constant
 * @line: 5
 * a negative frame count of stack() is also an error when the stack is used as a value */
BEGIN { x = stack(-1); }
