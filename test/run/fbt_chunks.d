/*@
 * what:    fbt: clauses that fill several functions, and a fault with its ERROR clause, are verified apart under a kprobe too
 * needs:   kprobe
 * expect:  regex
 * stderr:  contains
 * run:     -q -s %file% -c '%progs%/writes 1 10'
 */
fbt::vfs_write:entry /pid == $target/ { @a = quantize(args[2]); @b[execname, probefunc] = count(); this->s = strjoin(execname, probefunc); }
fbt::vfs_write:entry /pid == $target/ { @c[strjoin(this->s, substr(probefunc, 2))] = quantize(arg2); @d[basename(this->s)] = lquantize(arg2, 0, 100, 10); }
fbt::vfs_write:entry /pid == $target/ { @e[strtok(this->s, "_"), stack(3)] = count(); @f[index(this->s, "vfs")] = stddev(arg2); }
fbt::vfs_write:entry /pid == $target/ { trace(*(int *)8); }
ERROR { printf("%s %d\n", probefunc, arg4); }
END { printa("%@d\n", @b); exit(0); }
