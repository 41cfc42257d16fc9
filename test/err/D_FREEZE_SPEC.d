/* @tag: D_FREEZE_SPEC
 * @says: freeze( ) may not follow speculate( )
 * @line: 5
 * freeze after speculate */
BEGIN { this->s = speculation(); speculate(this->s); freeze(); }
