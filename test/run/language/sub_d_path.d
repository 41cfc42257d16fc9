/*@
 * what:    d_path() returns the full path of a struct path, and <unknown> if the struct cannot be read
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
