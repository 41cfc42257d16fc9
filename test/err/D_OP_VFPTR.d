/* @tag: D_OP_VFPTR
 * ++ -- += -= on void */function pointer (or non-pointer, non-integer left side) */
void *p; BEGIN { p++; }
