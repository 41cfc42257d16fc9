/* @tag: D_PROC_LIB
 * @says: only the a.out module is valid with the '-' function
 * @line: 5
 * an address, but not of the program */
pid$target:libc:-:800 { }
