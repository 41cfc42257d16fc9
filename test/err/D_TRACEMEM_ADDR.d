/* @tag: D_TRACEMEM_ADDR
 * address not pointer/integer */
BEGIN { tracemem(execname, 8); }
