/* @tag: D_IDENT_BADREF
 * @says: this may not be referenced by itself
 * @line: 5
 * this is a name only before -> */
BEGIN { trace(this); }
