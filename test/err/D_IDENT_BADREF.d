/* @tag: D_IDENT_BADREF
 * @says: associative array m may not be referenced as scalar
 * @line: 5
 * known identifier used as another kind */
BEGIN { m[1] = 2; trace(m); }
