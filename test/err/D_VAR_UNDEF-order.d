/* @tag: D_VAR_UNDEF
 * @says: self->later has not yet been declared or assigned
 * @line: 6
 * @hint: it is only assigned further down: move the clause that assigns it before this one
 * reading a self-> variable that only a later clause assigns is an error */
END { trace(self->later == 2); }
BEGIN { self->later = 1; }
