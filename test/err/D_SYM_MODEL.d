/* @tag: D_SYM_MODEL
 * @options: -32
 * @message: 64-bit symbol `jiffies in a 32-bit
 * the symbol's module has another data model than the program */
BEGIN { trace(`jiffies); }
