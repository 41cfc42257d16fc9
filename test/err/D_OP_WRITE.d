/* @tag: D_OP_WRITE
 * @says: operator = can only be applied to a writable variable
 * @line: 5
 * assigning to a read-only target is an error */
BEGIN { pid = 1; }
