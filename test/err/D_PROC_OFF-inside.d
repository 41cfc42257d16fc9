/* @tag: D_PROC_OFF
 * @says: offset 0x6 is inside of an instruction of function 'main', which begins at 0x5
 * @line: 5
 * an offset inside an instruction is an error */
pid$target:a.out:main:6 { }
