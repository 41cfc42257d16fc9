/*@
 * what:    fds[] gives name, directory, path, offset, flags and file system of an open file
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/writes 1 1'
 */
syscall::write:entry
/pid == $target && arg0 == 3/
{
	printf("%s %s %s\n", fds[3].fi_name, basename(fds[arg0].fi_dirname), strstr(fds[3].fi_pathname, "/dev"));
	printf("%d %d %d\n", fds[3].fi_offset, fds[3].fi_oflags & O_ACCMODE, (fds[3].fi_oflags & O_WRONLY) != 0);
	printf("%d %d\n", strlen(fds[3].fi_fs) > 0, index(fds[3].fi_pathname, fds[3].fi_mount));
}
