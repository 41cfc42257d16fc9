/* @tag: D_DECL_CLASS
 * two storage classes */
self this int x; BEGIN { exit(0); }
