/* @tag: D_EXIT_SPEC
 * exit after speculate */
BEGIN { this->s = speculation(); speculate(this->s); exit(0); }
