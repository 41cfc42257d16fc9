/* @tag: D_VAR_UNDEF
 * @says: self->later has not yet been declared or assigned
 * @line: 5
 * @hint: it is only assigned further down: move the clause that assigns it before this one */
END { trace(self->later == 2); }
BEGIN { self->later = 1; }
