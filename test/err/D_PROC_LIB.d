/* @tag: D_PROC_LIB
 * @says: only the a.out module is valid with the '-' function
 * @line: 5
 * a probe on an address, written as function name -, is an error in a module other than the program */
pid$target:libc:-:800 { }
