/* @tag: D_TRACEMEM_ADDR
 * @says: tracemem( ) argument #1 is incompatible with prototype: | prototype: pointer or integer | argument: string
 * @line: 5
 * a tracemem() address that is no pointer or integer is an error */
BEGIN { tracemem(execname, 8); }
