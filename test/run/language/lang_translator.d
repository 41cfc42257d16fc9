/*@
 * what:    xlate converts a kernel struct to a D struct or to a pointer to a D struct
 */
struct pinfo { int pid; string name; int twice; };
translator struct pinfo < struct task_struct *T > { pid = T->tgid; name = stringof(T->comm); twice = 2 * T->tgid; };
BEGIN {
	printf("%s %d\n", xlate<struct pinfo *>(curthread)->name, xlate<struct pinfo>(curthread).pid == pid);
	printf("%d\n", (*xlate<struct pinfo *>(curthread)).twice == 2 * pid);
	exit(0);
}
