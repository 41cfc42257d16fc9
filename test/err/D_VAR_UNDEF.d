/* @tag: D_VAR_UNDEF
 * @says: self->never has not yet been declared or assigned
 * @line: 5
 * read (or compound assignment) of a self->/this->/array/global not yet declared or assigned */
BEGIN { trace(self->never); }
