/* @tag: D_PROC_NAME
 * @says: only single addresses may be given with the '-' function
 * @line: 5
 * a pattern as probe name is an error if the function name is -, which needs a single address */
pid$target:a.out:-:* { }
