/* @tag: D_SPEC_DREC
 * @says: speculate( ) may not follow data-recording action(s)
 * @line: 5
 * speculate() after a recording action is an error */
BEGIN { this->s = speculation(); trace(1); speculate(this->s); }
