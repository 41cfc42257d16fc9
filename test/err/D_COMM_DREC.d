/* @tag: D_COMM_DREC
 * @says: commit( ) may not follow data-recording action(s)
 * @line: 5
 * commit() after a recording action is an error */
BEGIN { this->s = speculation(); trace(1); commit(this->s); }
