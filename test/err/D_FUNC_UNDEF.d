/* @tag: D_FUNC_UNDEF
 * called name unknown, or known subroutine without implementation */
BEGIN { frob(1); }
