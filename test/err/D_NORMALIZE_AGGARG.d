/* @tag: D_NORMALIZE_AGGARG
 * normalize/denormalize of a non-aggregation */
BEGIN { normalize(pid, 2); }
