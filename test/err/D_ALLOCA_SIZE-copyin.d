/* @tag: D_ALLOCA_SIZE
 * @says: copyin(65) size larger than scratchsize 64
 * @line: 6
 * @options: -x scratchsize=64
 * a constant copyin() size above the scratch size is an error */
BEGIN { p = copyin(0, 65); }
