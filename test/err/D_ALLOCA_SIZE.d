/* @tag: D_ALLOCA_SIZE
 * @says: alloca(100000) size larger than scratchsize 256
 * @line: 5
 * a constant alloca() size above the scratch size is an error */
BEGIN { p = alloca(100000); }
