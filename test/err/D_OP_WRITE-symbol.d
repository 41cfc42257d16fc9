/* @tag: D_OP_WRITE
 * @says: operator = can only be applied to a writable variable
 * @line: 5
 * assigning to a symbol of the process is an error */
BEGIN { ``counter = 1; }
