/* @tag: D_AGG_SPEC
 * @says: aggregating actions may not follow speculate( )
 * @line: 5
 * aggregation after speculate */
BEGIN { this->s = speculation(); speculate(this->s); @ = count(); }
