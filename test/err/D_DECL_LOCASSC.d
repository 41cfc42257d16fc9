/* @tag: D_DECL_LOCASSC
 * associative this declaration */
this int m[string]; BEGIN { exit(0); }
