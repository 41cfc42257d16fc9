/* @tag: D_STACK_SIZE
 * @says: stack( ) argument #1 must be a non-zero positive integer constant
 * @line: 5
 * a negative frame count of stack() is an error, although the prototype's type is unsigned */
BEGIN { stack(-1); }
