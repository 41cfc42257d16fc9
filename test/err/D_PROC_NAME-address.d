/* @tag: D_PROC_NAME
 * an address must be a single one */
pid$target:a.out:-:* { }
