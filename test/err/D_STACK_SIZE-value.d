/* @tag: D_STACK_SIZE
 * @says: stack( ) argument #1 must be a non-zero positive integer constant
 * @line: 5
 * a negative constant stays one, whatever the prototype says */
BEGIN { x = stack(-1); }
