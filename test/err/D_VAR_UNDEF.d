/* @tag: D_VAR_UNDEF
 * read (or compound assignment) of a self->/this->/array/global not yet declared or assigned */
BEGIN { trace(self->never); }
