/*@
 * what:    in fbt probes, args[] are the function's arguments with their types, and args[1] at return is its result
 * needs:   kprobe
 * run:     -q -s %file% -c '%progs%/write_sizes 1 20 300'
 */
fbt::vfs_write:entry  /pid == $target/ { printf("%d %d %s\n", arg2, args[2], stringof(args[0]->f_path.dentry->d_name.name)); }
fbt::vfs_write:return /pid == $target/ { printf("%d %d %d\n", arg0, arg1, args[1]); }
