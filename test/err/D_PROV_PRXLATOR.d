/* @tag: D_PROV_PRXLATOR
 * @says: translator from int to struct p * for probe go is not defined
 * @line: 5
 * a probe whose output argument cannot be converted from its input type is an error */
struct p { int x; }; provider pa { probe go(int i) : (struct p *i); };
