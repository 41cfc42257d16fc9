/* @tag: D_STACK_SIZE
 * @says: stack( ) argument #1 must be a non-zero positive integer constant
 * @line: 5
 * frame count not a positive INT */
BEGIN { stack(pid); }
