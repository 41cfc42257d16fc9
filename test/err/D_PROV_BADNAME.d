/* @tag: D_PROV_BADNAME
 * @says: provider name is invalid: p9
 * @line: 5
 * bad provider/probe name */
provider p9 { probe go(int); };
