/* @tag: D_PROV_INCOMPAT
 * @says: provider interface mismatch: pa was defined with other probes or types
 * @line: 5
 * a provider redefined with other probes or types is an error */
provider pa { probe go(int); }; provider pa { probe go(string); };
