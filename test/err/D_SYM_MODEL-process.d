/* @tag: D_SYM_MODEL
 * @says: cannot use 32-bit symbol old``counter in a 64-bit D program: Module and program data models do not match
 * @line: 5
 * an object of the process with another data model than the program's is an error */
BEGIN { trace(old``counter); }
