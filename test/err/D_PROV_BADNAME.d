/* @tag: D_PROV_BADNAME
 * @says: provider name is invalid: p9
 * @line: 5
 * an invalid provider or probe name is an error */
provider p9 { probe go(int); };
