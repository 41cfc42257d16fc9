/* @tag: D_PROTO_ARG
 * @says: @_[ ] key #1 is incompatible with prototype: | prototype: variable podname | key: a value
 * @line: 5
 * an aggregation whose key is podname in one clause and another string in another clause is an error */
BEGIN { @[podname] = count(); @[execname] = count(); }
