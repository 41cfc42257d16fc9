/* @tag: D_ARR_LOCAL
 * @says: local variables may not be used as associative arrays: this->m
 * @line: 5
 * a clause-local variable used as associative array is an error */
BEGIN { this->m["k"] = 1; }
