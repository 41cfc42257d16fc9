/* @tag: D_USTACK_STRSIZE
 * string size not an INT ≥ 0 */
BEGIN { ustack(4, pid); }
