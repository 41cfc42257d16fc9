/* @tag: D_FREOPEN_INVALID
 * @says: freopen( ) argument #1 cannot be "."
 * @line: 5
 * file name "." */
BEGIN { freopen("."); }
