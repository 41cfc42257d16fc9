/* @tag: D_AGG_COMM
 * @says: aggregating actions may not follow commit( )
 * @line: 5
 * updating an aggregation after commit() in a clause is an error */
BEGIN { this->s = speculation(); commit(this->s); @ = count(); }
