/* @tag: D_PROC_BADPID
 * the part after pid is no number */
pid4x4::main:entry { }
