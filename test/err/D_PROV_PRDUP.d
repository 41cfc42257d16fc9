/* @tag: D_PROV_PRDUP
 * probe declared twice */
provider pa { probe go(int); probe go(int); };
