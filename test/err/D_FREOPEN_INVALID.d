/* @tag: D_FREOPEN_INVALID
 * @says: freopen( ) argument #1 cannot be "."
 * @line: 5
 * freopen() of the file name "." is an error */
BEGIN { freopen("."); }
