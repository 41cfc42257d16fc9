/* @tag: D_OP_VFPTR
 * @says: operator ++ may not be applied to operand of type void *
 * @line: 5
 * ++, --, += or -= on a void pointer or a function pointer */
void *p; BEGIN { p++; }
