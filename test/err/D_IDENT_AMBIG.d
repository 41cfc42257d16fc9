/* @tag: D_IDENT_AMBIG
 * @says: ambiguous use of variable ZONE_NORMAL and enumerator of enum zone_type
 * @line: 5
 * a name in a comparison that is both an enumerator and a global variable is an error */
int ZONE_NORMAL; BEGIN { trace((enum zone_type)0 == ZONE_NORMAL); }
