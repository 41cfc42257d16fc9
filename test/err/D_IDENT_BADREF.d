/* @tag: D_IDENT_BADREF
 * @says: associative array m may not be referenced as scalar
 * @line: 5
 * an associative array used without a key is an error */
BEGIN { m[1] = 2; trace(m); }
