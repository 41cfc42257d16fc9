/* @tag: D_ARR_LOCAL
 * this-> used as associative array */
BEGIN { this->m["k"] = 1; }
