/* @tag: D_OP_WRITE
 * @says: operator = can only be applied to a writable variable
 * @line: 5
 * assigning to one character of a string in an associative array is an error */
BEGIN { a["k"] = "abc"; a["k"][1] = 'x'; }
