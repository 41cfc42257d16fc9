/* @tag: D_OP_VFPTR
 * ++, --, += or -= on a void pointer or a function pointer */
void *p; BEGIN { p++; }
