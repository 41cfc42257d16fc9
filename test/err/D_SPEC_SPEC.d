/* @tag: D_SPEC_SPEC
 * two speculate */
BEGIN { this->s = speculation(); speculate(this->s); speculate(this->s); }
