/* @tag: D_PROC_LIB
 * @says: only the a.out module is valid with the '-' function
 * @line: 5
 * an address in a module other than the program is an error */
pid$target:libc:-:800 { }
