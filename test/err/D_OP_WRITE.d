/* @tag: D_OP_WRITE
 * @says: operator = can only be applied to a writable variable
 * @line: 5
 * target readable but not writable */
BEGIN { pid = 1; }
