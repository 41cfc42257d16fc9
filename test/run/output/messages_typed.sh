#@ what:    if a program uses the syntax of bpftrace or another tracer, the hint after the error line gives the D form
#@ needs:   host python3
unset DTRACE_REPRODUCIBLE
while IFS= read -r program; do
    printf '%s\t' "$program"
    $DTRACE -en "$program" 2>&1 | sed -n 's/^ *= //p' | head -n 1 | grep . || echo
done <<'E'
uprobe:/bin/bash:readline { }
uretprobe:/bin/bash:readline { }
usdt:/usr/bin/python3:function__entry { }
usdt:/usr/bin/python3:python:function__entry { }
kfunc:vfs_read { }
syscal::: { }
fbt::vfs_raed:entry { }
plockstat:::mutex-block { }
nfsv3:::op-read-start { }
fasttrap:::fasttrap { }
syscall::rexit:entry { }
syscall::open64:entry { }
BEGIN { trace(retval); }
BEGIN { @ = lhist(1, 2, 3, 4); }
BEGIN { @[kstack()] = count(); }
BEGIN { join(1); }
BEGIN { delete(1); }
BEGIN { trace(args->x); }
BEGIN { @x[1]--; }
BEGIN { @x[1] = count(); printf("%d", @x[1]); }
BEGIN { @ = count(); } tick-1s /@ > 3/ { }
BEGIN { @a = count(); x = @a; }
BEGIN { @a = count(); if (@a) { } }
BEGIN { printf("%s", arg1); }
BEGIN { $x = 1; }
BEGIN { x = 0x1g; }
int seen[nge_t *];
int seen[kthread_t *, int];
self kthread_t *t;
kthread_t *t;
typedef proc_t mine;
BEGIN { trace(((vnode_t *)arg0)->v_path); }
BEGIN { trace(sizeof(mblk_t)); }
BEGIN { trace(curthread->t_pri); }
BEGIN { trace(curthread->t_procp); }
BEGIN { trace(`hp_avenrun); }
BEGIN { trace(`lbolt); }
E
