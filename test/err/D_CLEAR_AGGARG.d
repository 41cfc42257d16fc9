/* @tag: D_CLEAR_AGGARG
 * clear of a non-aggregation */
BEGIN { clear(pid); }
