/* @tag: D_OP_VFPTR
 * @says: operator ++ may not be applied to operand of type void *
 * @line: 5
 * ++, --, += or -= on a void pointer or a function pointer is an error */
void *p; BEGIN { p++; }
