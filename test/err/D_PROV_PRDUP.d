/* @tag: D_PROV_PRDUP
 * @says: probe redeclared: pa:::go
 * @line: 5
 * probe declared twice */
provider pa { probe go(int); probe go(int); };
