/* @tag: D_DECL_IDRED
 * @says: identifier redeclared: x | current: scalar string | previous: scalar int
 * @line: 5
 * identifier/typedef/enumerator/inline redeclared differently */
int x; string x; BEGIN { exit(0); }
