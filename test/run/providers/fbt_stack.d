/*@
 * what:    an fbt stack starts with the probed function, and caller is its caller
 * needs:   kprobe
 * expect:  regex
 * run:     -q -s %file% -c '%progs%/writes 1 10'
 */
fbt::vfs_write:entry /pid == $target/ { stack(2); sym(caller); exit(0); }
