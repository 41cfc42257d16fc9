/*@
 * what:    the path of a kernel struct path: to the global root, over mounts; <unknown> when it cannot be read
 * stderr:  exact
 */
BEGIN
{
	this->exe = &curthread->mm->exe_file->f_path;
	printf("%s\n", basename(d_path(this->exe)));
	printf("%d %d\n", index(d_path(this->exe), "/"), strlen(d_path(&curthread->fs->root)) > 0);
	printf("%s\n", d_path((struct path *)8));
}
BEGIN { trace(d_path((struct path *)0)); }
BEGIN { exit(0); }
