/* @tag: D_UNKNOWN
 * @says: self->name cannot be shared: its type is string, and only numbers are
 * @line: 6
 * a thread's variables of -x share are numbers */
#pragma D option share=self
BEGIN { self->name = execname; }
