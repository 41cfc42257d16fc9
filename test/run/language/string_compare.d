/*@
 * what:    <, <=, >, >=, == and != of strings give the order of strcmp()
 */
BEGIN
{
	a = "apple";
	b = "banana";
	printf("%d%d%d%d%d%d\n", a < b, a <= b, a > b, a >= b, a == b, a != b);
	printf("%d%d%d%d%d%d\n", b < a, b <= a, b > a, b >= a, b == a, b != a);
	printf("%d%d%d%d%d%d\n", a < "apple", a <= "apple", a > "apple", a >= "apple", a == "apple", a != "apple");
	printf("%d%d%d%d\n", "app" < a, "apples" < a, "" < a, "" == "");
	exit(0);
}
