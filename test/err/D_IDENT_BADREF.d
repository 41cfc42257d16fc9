/* @tag: D_IDENT_BADREF
 * known identifier used as another kind */
BEGIN { m[1] = 2; trace(m); }
