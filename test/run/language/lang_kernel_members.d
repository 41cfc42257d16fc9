/*@
 * what:    members of kernel structs can be read through nested structs, unions without name, arrays and pointers
 */
BEGIN {
	printf("%d %d %d\n", curthread->tgid == pid, curthread->real_parent->tgid == ppid, curthread->group_leader->pid == pid);
	printf("%d %s\n", curthread->cred->uid.val == uid, stringof(curthread->comm));
	printf("%d\n", curthread->comm[0] == execname[0]);
	exit(0);
}
