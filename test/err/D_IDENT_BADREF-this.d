/* @tag: D_IDENT_BADREF
 * this is a name only before -> */
BEGIN { trace(this); }
