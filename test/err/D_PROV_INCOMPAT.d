/* @tag: D_PROV_INCOMPAT
 * @says: provider interface mismatch: pa was defined with other probes or types
 * @line: 5
 * redefinition differs */
provider pa { probe go(int); }; provider pa { probe go(string); };
