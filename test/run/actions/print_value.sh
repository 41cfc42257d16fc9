#@ what:    print() shows integers, enumerators, strings, structures, arrays and members, each with its type
$DTRACE -qs /dev/stdin <<'D'
enum colour { RED, GREEN = 5 };
struct point { short x; char name[4]; unsigned bits : 3; };
struct point here;
struct point places[int];
int list[3];
BEGIN
{
	here.x = -3; here.name[0] = 'a'; here.name[1] = (char)0xfb; here.bits = 6;
	places[2] = here; list[1] = 7;
	this->n = (unsigned char)200; this->text = "some text";
	this->p = (struct point *)alloca(sizeof (struct point)); this->p->x = 9;
	print(1 + 1); print(this->n); print((enum colour)5); print(this->text); print(probename); print('c');
	print(here.x); print(here.bits); print(this->p->x);
	print(here); print(places[2]); print(list); print(here.name);
	exit(0);
}
D
# Prints a char array of the kernel, and the result of a comparison with a member of a kernel structure.
$DTRACE -qn 'BEGIN { print(curthread->comm); print(curthread->pid == (pid_t)tid); exit(0); }' | grep -c "(char \[16\]) \[\|(int)[01]"
# print() of an aggregation, which has no value in an expression, is an error.
$DTRACE -x errtags -en 'BEGIN { @ = count(); print(@); }' 2>&1 | grep -o D_PROTO_ARG
