/* @tag: D_USTACK_FRAMES
 * @says: ustack( ) argument #1 must be a non-zero positive integer constant
 * @line: 5
 * frame count not a positive INT */
BEGIN { ustack(pid); }
