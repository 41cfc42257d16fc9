/* @tag: D_TRACEMEM_SIZE
 * size (argument 2) not a positive INT */
BEGIN { tracemem(curthread, pid); }
