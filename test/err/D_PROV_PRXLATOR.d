/* @tag: D_PROV_PRXLATOR
 * no conversion input → output */
struct p { int x; }; provider pa { probe go(int i) : (struct p *i); };
