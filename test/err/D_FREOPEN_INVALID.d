/* @tag: D_FREOPEN_INVALID
 * @says: freopen( ) argument #1 cannot be "."
 * @line: 5
 * freopen(".") is an error, because "." is no file name */
BEGIN { freopen("."); }
