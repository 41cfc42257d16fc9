/*@
 * what:    floating-point variables can be declared and copied
 */
float f; double d; float g;
BEGIN { g = f; printf("%f %g\n", f, d); exit(0); }
