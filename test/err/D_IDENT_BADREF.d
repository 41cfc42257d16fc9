/* @tag: D_IDENT_BADREF
 * @says: associative array m may not be referenced as scalar
 * @line: 5
 * a known identifier used as another kind of name is an error */
BEGIN { m[1] = 2; trace(m); }
