/* @tag: D_ACT_SPEC
 * destructive action after speculate */
BEGIN { this->s = speculation(); speculate(this->s); system("date"); }
