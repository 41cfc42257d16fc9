/* @tag: D_VAR_UNDEF
 * @says: self->never has not yet been declared or assigned
 * @line: 5
 * reading a variable that is never declared or assigned is an error */
BEGIN { trace(self->never); }
