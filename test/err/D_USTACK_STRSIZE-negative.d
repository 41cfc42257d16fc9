/* @tag: D_USTACK_STRSIZE
 * @says: ustack( ) argument #2 must be a positive integer constant
 * @line: 5
 * a negative string size of ustack() is an error, although the prototype's type is unsigned */
BEGIN { ustack(4, -1); }
