/* @tag: D_PROV_PRDUP
 * @says: probe redeclared: pa:::go
 * @line: 5
 * a probe declared twice in a provider is an error */
provider pa { probe go(int); probe go(int); };
