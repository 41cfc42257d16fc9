/* @tag: D_STACK_SIZE
 * @says: stack( ) argument #1 must be a non-zero positive integer constant
 * @line: 5
 * a frame count of stack() that is no positive integer constant is an error */
BEGIN { stack(pid); }
