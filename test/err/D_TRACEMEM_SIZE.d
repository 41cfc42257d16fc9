/* @tag: D_TRACEMEM_SIZE
 * @says: tracemem( ) argument #2 must be a non-zero positive integral constant expression
 * @line: 5
 * size (argument 2) not a positive INT */
BEGIN { tracemem(curthread, pid); }
