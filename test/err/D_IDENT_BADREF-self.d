/* @tag: D_IDENT_BADREF
 * @says: self may not be referenced by itself
 * @line: 5
 * self without -> after it is an error */
BEGIN { self = 1; }
