/* @tag: D_TRACEMEM_SIZE
 * @says: tracemem( ) argument #2 must be a non-zero positive integral constant expression
 * @line: 5
 * a tracemem() size that is no positive integer constant is an error */
BEGIN { tracemem(curthread, pid); }
