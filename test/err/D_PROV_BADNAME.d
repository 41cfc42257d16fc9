/* @tag: D_PROV_BADNAME
 * bad provider/probe name */
provider p9 { probe go(int); };
