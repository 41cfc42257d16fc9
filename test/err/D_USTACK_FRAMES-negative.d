/* @tag: D_USTACK_FRAMES
 * @says: ustack( ) argument #1 must be a non-zero positive integer constant
 * @line: 5
 * a negative frame count of ustack() is an error, although the prototype's type is unsigned */
BEGIN { ustack(-1); }
