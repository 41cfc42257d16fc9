/* @tag: D_OP_WRITE
 * a symbol of the process is not writable */
BEGIN { ``counter = 1; }
