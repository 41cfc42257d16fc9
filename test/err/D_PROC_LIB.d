/* @tag: D_PROC_LIB
 * an address, but not of the program */
pid$target:libc:-:800 { }
