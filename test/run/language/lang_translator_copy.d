/*@
 * what:    assigning the result of xlate to a variable sets every member, and members without a translation to 0
 */
struct pinfo { int pid; string name; int none; };
translator struct pinfo < struct task_struct *T > { pid = T->tgid; name = stringof(T->comm); };
struct pinfo p;
BEGIN { p.none = 5; p = xlate<struct pinfo>(curthread); q = xlate<struct pinfo>(curthread); printf("%d %s %d %s\n", p.pid == pid, p.name, p.none, q.name); exit(0); }
