/* @tag: D_SYM_BADREF
 * @says: user module prog symbol counter may not be referenced as a kernel symbol
 * @line: 5
 * a kernel symbol mark on a symbol of a process is an error */
BEGIN { trace(prog`counter); }
