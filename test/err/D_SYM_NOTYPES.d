/* @tag: D_SYM_NOTYPES
 * @says: cannot use symbol `lost of module damaged: Module does not contain any CTF data
 * @line: 5
 * a symbol whose module's types cannot be read is an error */
BEGIN { trace(`lost); }
