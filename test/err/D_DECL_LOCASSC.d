/* @tag: D_DECL_LOCASSC
 * @says: associative arrays may not be declared as local variables: m
 * @line: 5
 * declaring an associative array as a clause-local variable is an error */
this int m[string]; BEGIN { exit(0); }
