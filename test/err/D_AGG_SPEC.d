/* @tag: D_AGG_SPEC
 * @says: aggregating actions may not follow speculate( )
 * @line: 5
 * updating an aggregation after speculate() in a clause is an error */
BEGIN { this->s = speculation(); speculate(this->s); @ = count(); }
