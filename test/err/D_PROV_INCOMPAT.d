/* @tag: D_PROV_INCOMPAT
 * redefinition differs */
provider pa { probe go(int); }; provider pa { probe go(string); };
