/* @tag: D_PROTO_ARG
 * @says: @_[ ] key #1 is incompatible with prototype: | prototype: variable podname | key: a value
 * @line: 5
 * keys that mix a print-time name with a value in one aggregation are an error */
BEGIN { @[podname] = count(); @[execname] = count(); }
