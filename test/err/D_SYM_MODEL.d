/* @tag: D_SYM_MODEL
 * @says: cannot use 64-bit symbol `jiffies in a 32-bit D program: Module and program data models do not match
 * @line: 6
 * @options: -32
 * the symbol's module has another data model than the program */
BEGIN { trace(`jiffies); }
