/* @tag: D_DECL_LOCASSC
 * @says: associative arrays may not be declared as local variables: m
 * @line: 5
 * associative this declaration */
this int m[string]; BEGIN { exit(0); }
