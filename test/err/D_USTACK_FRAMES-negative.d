/* @tag: D_USTACK_FRAMES
 * @says: ustack( ) argument #1 must be a non-zero positive integer constant
 * @line: 5
 * a negative constant stays one, whatever the prototype says */
BEGIN { ustack(-1); }
