/* @tag: D_EXIT_SPEC
 * @says: exit( ) may not follow speculate( )
 * @line: 5
 * exit() after speculate() in a clause is an error */
BEGIN { this->s = speculation(); speculate(this->s); exit(0); }
