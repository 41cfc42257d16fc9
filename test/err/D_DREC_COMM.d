/* @tag: D_DREC_COMM
 * recording (incl. exit) after commit */
BEGIN { this->s = speculation(); commit(this->s); trace(1); }
