/* @tag: D_PROTO_LEN
 * @says: exit( ) prototype mismatch: 0 args passed, 1 expected
 * @line: 5
 * a wrong number of arguments or keys (functions, arrays, aggregations, args[]) is an error */
BEGIN { exit(); }
