/* @tag: D_PROC_NAME
 * @says: only single addresses may be given with the '-' function
 * @line: 5
 * an address must be a single one */
pid$target:a.out:-:* { }
