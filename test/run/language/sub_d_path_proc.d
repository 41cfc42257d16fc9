/*@
 * what:    d_path() of a file in /proc includes the mount point
 * needs:   syscall host
 * run:     -q -c '%progs%/open_files /proc/version'
 */
syscall::close:entry
/pid == $target && stringof(curthread->files->fdt->fd[arg0]->f_path.dentry->d_name.name) == "version"/
{
	printf("%s\n", d_path(&curthread->files->fdt->fd[arg0]->f_path));
	exit(0);
}
