/* @tag: D_FREEZE_SPEC
 * @says: freeze( ) may not follow speculate( )
 * @line: 5
 * freeze() after speculate() in a clause is an error */
BEGIN { this->s = speculation(); speculate(this->s); freeze(); }
