/* @tag: D_PROTO_ARG
 * @says: @_[ ] key #1 is incompatible with prototype: | prototype: variable podname | key: a value
 * @line: 5
 * a key is a name that the consumer finds in all uses, or in none */
BEGIN { @[podname] = count(); @[execname] = count(); }
