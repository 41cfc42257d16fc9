/* @tag: D_SYM_MODEL
 * @says: cannot use 64-bit symbol `jiffies in a 32-bit D program: Module and program data models do not match
 * @line: 6
 * @options: -32
 * a symbol whose module has another data model than the program's is an error */
BEGIN { trace(`jiffies); }
