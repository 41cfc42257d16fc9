/* @tag: D_DREC_COMM
 * @says: data-recording actions may not follow commit( )
 * @line: 5
 * recording (incl. exit) after commit */
BEGIN { this->s = speculation(); commit(this->s); trace(1); }
