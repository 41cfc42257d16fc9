/* @tag: D_OP_WRITE
 * @says: operator = can only be applied to a writable variable
 * @line: 5
 * a symbol of the process is not writable */
BEGIN { ``counter = 1; }
