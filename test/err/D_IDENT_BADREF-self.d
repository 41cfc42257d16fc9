/* @tag: D_IDENT_BADREF
 * self is a name only before -> */
BEGIN { self = 1; }
