/* @tag: D_PROC_NAME
 * @says: only single addresses may be given with the '-' function
 * @line: 5
 * a pattern in place of a single address is an error */
pid$target:a.out:-:* { }
