/* @tag: D_DECL_IDRED
 * @says: identifier redeclared: x | current: scalar string | previous: scalar int
 * @line: 5
 * declaring an identifier, typedef, enumerator or inline again with another meaning is an error */
int x; string x; BEGIN { exit(0); }
