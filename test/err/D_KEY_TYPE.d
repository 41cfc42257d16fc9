/* @tag: D_KEY_TYPE
 * @says: @_[ ] key #1 may not be of type void
 * @line: 5
 * a void or dynamic key is an error */
BEGIN { @[trace(0)] = count(); }
