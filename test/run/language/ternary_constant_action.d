/*@
 * what:    if the condition of ?: is constant, its branches may be actions
 */
inline int OPT_on = 1;
inline int OPT_off = 0;
inline int OPT_both = OPT_on && !OPT_off;
BEGIN
{
	OPT_on ? printf("on\n") : 1;
	OPT_off ? printf("off\n") : 1;
	OPT_off == 0 ? printf("not off\n") : printf("off\n");
	OPT_both ? (OPT_off ? trace(1) : printf("nested %d\n", 5)) : 1;
	@n = count();
	sizeof (int) == 4 ? exit(0) : exit(1);
}
END { printa("%@d\n", @n); }
