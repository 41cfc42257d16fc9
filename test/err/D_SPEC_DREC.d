/* @tag: D_SPEC_DREC
 * speculate after recording */
BEGIN { this->s = speculation(); trace(1); speculate(this->s); }
