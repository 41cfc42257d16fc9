/* @tag: D_DECL_IDRED
 * @says: identifier redeclared: x | current: scalar string | previous: scalar int
 * @line: 5
 * a different redeclaration of an identifier, typedef, enumerator or inline is an error */
int x; string x; BEGIN { exit(0); }
