/* @tag: D_SYM_MODEL
 * @says: cannot use 32-bit symbol old``counter in a 64-bit D program: Module and program data models do not match
 * @line: 5
 * a symbol of a 32-bit object of the process is an error in a 64-bit program */
BEGIN { trace(old``counter); }
