/* @tag: D_AGG_SPEC
 * aggregation after speculate */
BEGIN { this->s = speculation(); speculate(this->s); @ = count(); }
