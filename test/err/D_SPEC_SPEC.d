/* @tag: D_SPEC_SPEC
 * @says: speculate( ) may not follow speculate( )
 * @line: 5
 * two speculate */
BEGIN { this->s = speculation(); speculate(this->s); speculate(this->s); }
