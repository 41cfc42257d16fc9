/* @tag: D_TRUNC_AGGARG
 * trunc of a non-aggregation */
BEGIN { trunc(pid, 2); }
