/* @tag: D_AGG_COMM
 * aggregation after commit */
BEGIN { this->s = speculation(); commit(this->s); @ = count(); }
