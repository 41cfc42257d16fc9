/* @tag: D_CG_EXPR
 * action or aggregating function where a value expression is required */
BEGIN { count(); }
