/* @tag: D_ALLOCA_SIZE
 * @says: copyin(65) size larger than scratchsize 64
 * @line: 6
 * @options: -x scratchsize=64
 * constant copyin() size above scratch size */
BEGIN { p = copyin(0, 65); }
