/* @tag: D_IDENT_BADREF
 * @says: this may not be referenced by itself
 * @line: 5
 * this without -> after it is an error */
BEGIN { trace(this); }
