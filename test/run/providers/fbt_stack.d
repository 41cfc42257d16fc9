/*@
 * what:    fbt: a stack begins with the function itself, caller is who called it
 * needs:   kprobe
 * expect:  regex
 * run:     -q -s %file% -c '%progs%/writes 1 10'
 */
fbt::vfs_write:entry /pid == $target/ { stack(2); sym(caller); exit(0); }
