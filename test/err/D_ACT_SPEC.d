/* @tag: D_ACT_SPEC
 * @says: destructive actions may not follow speculate( )
 * @line: 5
 * a destructive action after speculate() in a clause is an error */
BEGIN { this->s = speculation(); speculate(this->s); system("date"); }
