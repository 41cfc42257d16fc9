/* @tag: D_SYM_BADREF
 * @message: may not be referenced as a kernel symbol
 * a symbol of a process with the mark of the kernel's */
BEGIN { trace(prog`counter); }
