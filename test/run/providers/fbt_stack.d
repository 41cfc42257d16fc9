/*@
 * what:    in an fbt probe, stack() begins with the probed function, and caller is in the function that called it
 * needs:   kprobe
 * expect:  regex
 * run:     -q -s %file% -c '%progs%/writes 1 10'
 */
fbt::vfs_write:entry /pid == $target/ { stack(2); sym(caller); exit(0); }
