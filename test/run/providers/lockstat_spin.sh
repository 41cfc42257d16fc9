#@ what:    lockstat:::spin-spin and rw-spin fire at the end of a wait, with its duration, separately for readers and writers
#@ needs:   smp kprobe
$DTRACE -Zqn 'int none;
lockstat:::spin-spin { @[1] = sum(1); none += args[1] == 0; }
fbt::*queued_spin_lock_slowpath:return { @[1] = sum(-1); }
lockstat:::rw-spin { @[args[2] == RW_READER ? 2 : 3] = sum(1); none += args[1] == 0; }
fbt::queued_read_lock_slowpath:return { @[2] = sum(-1); }
fbt::queued_write_lock_slowpath:return { @[3] = sum(-1); }
END { printf("of no time %d\n", none); printa("%d %@d\n", @); }' -c "$PROGS/locks fight 2000" 2>$TMP/told | awk 'NF == 2 && $2 ^ 2 <= 4 { next } NF'
