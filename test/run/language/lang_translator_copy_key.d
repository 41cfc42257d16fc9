/*@
 * what:    assigning a translated struct to m[n++] evaluates n++ only once
 */
struct pinfo { int pid; int twice; string name; };
translator struct pinfo < int P > { pid = P; twice = P * 2; name = "x"; };
struct pinfo m[int];
struct pinfo a[4];
BEGIN
{
	m[n++] = xlate<struct pinfo>(7);
	a[++k] = xlate<struct pinfo>(i++ + 8);
	printf("%d %d %d\n", n, k, i);
	printf("%d %d %s\n", m[0].pid, m[0].twice, m[0].name);
	printf("%d %d %d\n", a[1].pid, a[1].twice, a[2].pid);
	exit(0);
}
