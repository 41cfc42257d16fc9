/* @tag: D_DECL_IDRED
 * identifier/typedef/enumerator/inline redeclared differently */
int x; string x; BEGIN { exit(0); }
