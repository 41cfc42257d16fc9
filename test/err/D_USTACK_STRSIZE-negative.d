/* @tag: D_USTACK_STRSIZE
 * @says: ustack( ) argument #2 must be a positive integer constant
 * @line: 5
 * a negative constant stays one, whatever the prototype says */
BEGIN { ustack(4, -1); }
