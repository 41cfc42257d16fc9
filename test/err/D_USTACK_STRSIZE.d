/* @tag: D_USTACK_STRSIZE
 * @says: ustack( ) argument #2 must be a positive integer constant
 * @line: 5
 * string size not an INT ≥ 0 */
BEGIN { ustack(4, pid); }
