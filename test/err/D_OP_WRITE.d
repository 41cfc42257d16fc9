/* @tag: D_OP_WRITE
 * target readable but not writable */
BEGIN { pid = 1; }
