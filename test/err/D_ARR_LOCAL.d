/* @tag: D_ARR_LOCAL
 * @says: local variables may not be used as associative arrays: this->m
 * @line: 5
 * this-> used as associative array */
BEGIN { this->m["k"] = 1; }
