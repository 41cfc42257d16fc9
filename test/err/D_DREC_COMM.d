/* @tag: D_DREC_COMM
 * @says: data-recording actions may not follow commit( )
 * @line: 5
 * a recording action, such as trace() or exit(), after commit() is an error */
BEGIN { this->s = speculation(); commit(this->s); trace(1); }
