/* @tag: D_SYM_NOTYPES
 * @says: cannot use symbol `lost of module damaged: Module does not contain any CTF data
 * @line: 5
 * the types of the symbol's module cannot be read */
BEGIN { trace(`lost); }
