/*@
 * what:    a chain of five kernel pointers reads the file name of the running program
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/syscalls getppid 1'
 */
syscall::getppid:entry
/pid == $target/
{
	printf("%s in %s\n", stringof(curthread->mm->exe_file->f_path.dentry->d_name.name),
	    stringof(curthread->mm->exe_file->f_path.dentry->d_parent->d_name.name));
}
