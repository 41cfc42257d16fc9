/* @tag: D_SYM_MODEL
 * @message: 32-bit symbol old``counter in a 64-bit
 * an object of the process has another data model than the program */
BEGIN { trace(old``counter); }
