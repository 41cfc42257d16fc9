/* @tag: D_IDENT_AMBIG
 * @says: ambiguous use of variable ZONE_NORMAL and enumerator of enum zone_type
 * @line: 5
 * right operand of a comparison is both a tag of the left enum type and a global */
int ZONE_NORMAL; BEGIN { trace((enum zone_type)0 == ZONE_NORMAL); }
