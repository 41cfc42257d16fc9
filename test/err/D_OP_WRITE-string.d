/* @tag: D_OP_WRITE
 * @says: operator = can only be applied to a writable variable
 * @line: 5
 * characters of strings change in variables only, not in elements of associative arrays */
BEGIN { a["k"] = "abc"; a["k"][1] = 'x'; }
