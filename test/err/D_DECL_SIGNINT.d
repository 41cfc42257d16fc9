/* @tag: D_DECL_SIGNINT
 * sign on non-integer */
unsigned float f; BEGIN { exit(0); }
