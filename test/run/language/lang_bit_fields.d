/*@
 * what:    bit-fields have the layout and sign that C gives them, and an assignment does not change adjacent bit-fields
 */
struct f { int a:3; unsigned b:5; int :0; unsigned c:1; } v;
BEGIN {
	v.a = 7; v.b = 31; v.c = 3;
	printf("%d %d %d %d\n", v.a, v.b, v.c, sizeof (struct f));
	v.b = 1; v.a = 2;
	printf("%d %d %d\n", v.a, v.b, v.c);
	exit(0);
}
