/* @tag: D_SYM_MODEL
 * @says: cannot use 64-bit symbol `jiffies in a 32-bit D program: Module and program data models do not match
 * @line: 6
 * @options: -32
 * a symbol of a 64-bit module is an error in a 32-bit program */
BEGIN { trace(`jiffies); }
