/* @tag: D_PROV_PRXLATOR
 * @says: translator from int to struct p * for probe go is not defined
 * @line: 5
 * a probe output without a conversion from its input type is an error */
struct p { int x; }; provider pa { probe go(int i) : (struct p *i); };
