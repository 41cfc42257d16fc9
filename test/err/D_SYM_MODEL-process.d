/* @tag: D_SYM_MODEL
 * @says: cannot use 32-bit symbol old``counter in a 64-bit D program: Module and program data models do not match
 * @line: 5
 * an object of the process has another data model than the program */
BEGIN { trace(old``counter); }
