/* @tag: D_ALLOCA_SIZE
 * @options: -x scratchsize=64
 * constant copyin() size above scratch size */
BEGIN { p = copyin(0, 65); }
