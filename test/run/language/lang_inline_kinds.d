/*@
 * what:    an inline can be a constant or a second name for a variable, and its expression is evaluated at each use
 */
inline int SIZE = 4; inline string NAME = "abc"; int hidden; inline int alias = hidden;
inline int now = hidden * 2; int a[SIZE]; enum e { E = SIZE };
BEGIN {
	alias = 7; printf("%d %d %s %d %d ", hidden, now, NAME, sizeof (a), E);
	hidden++; printf("%d\n", now);
	exit(0);
}
