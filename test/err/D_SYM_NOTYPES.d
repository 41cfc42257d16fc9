/* @tag: D_SYM_NOTYPES
 * @message: Module does not contain any CTF data
 * the types of the symbol's module cannot be read */
BEGIN { trace(`lost); }
