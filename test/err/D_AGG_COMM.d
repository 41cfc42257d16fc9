/* @tag: D_AGG_COMM
 * @says: aggregating actions may not follow commit( )
 * @line: 5
 * aggregation after commit */
BEGIN { this->s = speculation(); commit(this->s); @ = count(); }
