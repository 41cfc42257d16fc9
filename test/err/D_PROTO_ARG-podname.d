/* @tag: D_PROTO_ARG
 * @says: @_[ ] key #1 is incompatible with prototype: | prototype: variable podname | key: a value
 * @line: 5
 * an aggregation whose key is podname, known only when printed, in one clause and a string in another is an error */
BEGIN { @[podname] = count(); @[execname] = count(); }
