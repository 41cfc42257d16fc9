/*@
 * what:    a this-> variable has one type in all clauses
 */
this string s; this struct task_struct *t;
BEGIN { this->s = execname; this->t = curthread; this->i = 4; }
BEGIN { printf("%s %d %d\n", this->s, this->t->tgid == pid, this->i); exit(0); }
