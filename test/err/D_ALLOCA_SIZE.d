/* @tag: D_ALLOCA_SIZE
 * @says: alloca(100000) size larger than scratchsize 256
 * @line: 5
 * constant alloca size above scratch size */
BEGIN { p = alloca(100000); }
