/* @tag: D_DECL_LOCASSC
 * @says: associative arrays may not be declared as local variables: m
 * @line: 5
 * an associative clause-local declaration is an error */
this int m[string]; BEGIN { exit(0); }
