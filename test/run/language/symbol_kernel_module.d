/*@
 * what:    variables and types of a kernel module can be used by name, and kernel types are the same in all modules
 * needs:   guest data-symbols
 */
struct file_system_type *type;
BEGIN
{
	type = (struct file_system_type *)&overlay`ovl_fs_type;
	printf("%s %d\n", stringof(type->name), sizeof(overlay`ovl_fs_type) > 8);
	type = (struct overlay`file_system_type *)type;
	printf("%d\n", sizeof(struct overlay`ovl_fs) > 8);
	exit(0);
}
