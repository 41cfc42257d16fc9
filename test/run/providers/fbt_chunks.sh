#@ what:    fbt clauses that are too large for one BPF function are loaded and print their output, also with a fault and an ERROR clause
#@ needs:   kprobe
#@ expect:  regex
cat >$TMP/chunks.d <<'D'
fbt::vfs_write:entry /pid == $target/ { @a = quantize(args[2]); @b[execname, probefunc] = count(); this->s = strjoin(execname, probefunc); }
fbt::vfs_write:entry /pid == $target/ { @c[strjoin(this->s, substr(probefunc, 2))] = quantize(arg2); @d[basename(this->s)] = lquantize(arg2, 0, 100, 10); }
fbt::vfs_write:entry /pid == $target/ { @e[strtok(this->s, "_"), stack(3)] = count(); @f[index(this->s, "vfs")] = stddev(arg2); }
fbt::vfs_write:entry /pid == $target/ { trace(*(int *)8); }
ERROR { printf("<%d>\n", arg4); }
END { printa("%s %s %@d\n", @b); trunc(@a); trunc(@b); trunc(@d); trunc(@e); trunc(@f); }
D
$DTRACE -qs $TMP/chunks.d -c "$PROGS/writes 3 10" 2>&1 | sed '/^$/d; s/probe ID [0-9]*/probe/; s/ at BPF pc .*//'
