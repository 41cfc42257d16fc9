/* @tag: D_ALLOCA_SIZE
 * constant alloca size above scratch size */
BEGIN { p = alloca(100000); }
