/* @tag: D_USTACK_STRSIZE
 * @says: ustack( ) argument #2 must be a positive integer constant
 * @line: 5
 * a string size of ustack() that is no integer constant of at least 0 is an error */
BEGIN { ustack(4, pid); }
