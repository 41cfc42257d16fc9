/*@
 * what:    a translator can use another translator
 */
struct inner { int a; }; struct outer { int b; };
translator struct inner < int I > { a = I + 1; };
translator struct outer < int I > { b = xlate<struct inner>(I).a * 10; };
BEGIN { printf("%d\n", xlate<struct outer>(4).b); exit(0); }
