/* @tag: D_SYM_BADREF
 * @says: user module prog symbol counter may not be referenced as a kernel symbol
 * @line: 5
 * one backquote, which marks kernel symbols, before a symbol of a process is an error */
BEGIN { trace(prog`counter); }
