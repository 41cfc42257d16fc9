/*@
 * what:    args.NAME is the argument of a kernel function whose parameter has this name
 * needs:   kprobe
 * run:     -q -s %file% -c '%progs%/write_sizes 1 20 300'
 */
fbt::vfs_write:entry /pid == $target/ { printf("%d %s\n", args.count, stringof(args.file->f_path.dentry->d_name.name)); }
