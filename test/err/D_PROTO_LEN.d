/* @tag: D_PROTO_LEN
 * @says: exit( ) prototype mismatch: 0 args passed, 1 expected
 * @line: 5
 * wrong number of arguments/keys (functions, arrays, aggregations, args[]) */
BEGIN { exit(); }
