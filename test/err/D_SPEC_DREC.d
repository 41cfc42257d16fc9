/* @tag: D_SPEC_DREC
 * @says: speculate( ) may not follow data-recording action(s)
 * @line: 5
 * speculate after recording */
BEGIN { this->s = speculation(); trace(1); speculate(this->s); }
