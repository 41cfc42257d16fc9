/* @tag: D_PROC_NAME
 * @says: only single addresses may be given with the '-' function
 * @line: 5
 * a pattern is an error where the function name - requires a single address */
pid$target:a.out:-:* { }
