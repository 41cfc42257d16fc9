/* @tag: D_SPEC_COMM
 * @says: speculate( ) may not follow commit( )
 * @line: 5
 * speculate() after commit() in a clause is an error */
BEGIN { this->s = speculation(); commit(this->s); speculate(this->s); }
