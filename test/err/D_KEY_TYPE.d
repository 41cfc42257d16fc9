/* @tag: D_KEY_TYPE
 * @says: @_[ ] key #1 may not be of type void
 * @line: 5
 * an expression of type void, such as trace(0), as a key is an error */
BEGIN { @[trace(0)] = count(); }
