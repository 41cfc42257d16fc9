/* @tag: D_USTACK_FRAMES
 * @says: ustack( ) argument #1 must be a non-zero positive integer constant
 * @line: 5
 * a frame count of ustack() that is no positive integer constant is an error */
BEGIN { ustack(pid); }
