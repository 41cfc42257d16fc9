/* @tag: D_TRACEMEM_ADDR
 * @says: tracemem( ) argument #1 is incompatible with prototype: | prototype: pointer or integer | argument: string
 * @line: 5
 * address not pointer/integer */
BEGIN { tracemem(execname, 8); }
