/* @tag: D_SYM_BADREF
 * @says: user module prog symbol counter may not be referenced as a kernel symbol
 * @line: 5
 * a symbol of a process with the mark of the kernel's */
BEGIN { trace(prog`counter); }
