/* @tag: D_COMM_DREC
 * commit after recording */
BEGIN { this->s = speculation(); trace(1); commit(this->s); }
