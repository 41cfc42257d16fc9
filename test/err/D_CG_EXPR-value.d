/* @tag: D_CG_EXPR
 * the value of an aggregating function: that it has none counts more than its type */
BEGIN { x = count(); }
