/* @tag: D_SPEC_SPEC
 * @says: speculate( ) may not follow speculate( )
 * @line: 5
 * two calls of speculate() in a clause are an error */
BEGIN { this->s = speculation(); speculate(this->s); speculate(this->s); }
