/* @tag: D_AGG_REDEF
 * two functions for one aggregation */
BEGIN { @a = count(); @a = sum(1); }
