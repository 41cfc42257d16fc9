/* @tag: D_PROTO_LEN
 * @message: exit\( \) prototype mismatch: 0 args passed, 1 expected
 * wrong number of arguments/keys (functions, arrays, aggregations, args[]) */
BEGIN { exit(); }
