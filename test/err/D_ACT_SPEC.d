/* @tag: D_ACT_SPEC
 * @says: destructive actions may not follow speculate( )
 * @line: 5
 * destructive action after speculate */
BEGIN { this->s = speculation(); speculate(this->s); system("date"); }
