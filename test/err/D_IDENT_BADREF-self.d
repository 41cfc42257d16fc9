/* @tag: D_IDENT_BADREF
 * @says: self may not be referenced by itself
 * @line: 5
 * self is a name only before -> */
BEGIN { self = 1; }
