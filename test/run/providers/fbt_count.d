/*@
 * what:    fbt::vfs_write:entry fires as often as the function is called
 * needs:   kprobe
 * run:     -q -s %file% -c '%progs%/writes 1000 10'
 */
fbt:vmlinux:vfs_write:entry /pid == $target/ { @calls = count(); @bytes = sum(args[2]); }
END { printa("%@d %@d\n", @calls, @bytes); }
