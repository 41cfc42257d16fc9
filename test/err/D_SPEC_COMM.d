/* @tag: D_SPEC_COMM
 * speculate after commit */
BEGIN { this->s = speculation(); commit(this->s); speculate(this->s); }
