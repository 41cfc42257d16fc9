#@ what:    args[0] of proc:::exit says whether the process exited, was killed or dumped core, as wait(2) reports it
#@ needs:   syscall
cat >$TMP/ends <<'S'
ulimit -c unlimited
sh -c 'exit 3'
sh -c 'kill -9 $$'
sh -c 'kill -ABRT $$'
exit 0
S
cd $TMP
$DTRACE -qn 'int reason[int];
proc:::exit /progenyof($target) && pid != $target/ { reason[pid] = args[0]; }
syscall::wait4:entry /pid == $target/ { self->status = arg1; }
syscall::wait4:return /self->status && (int)arg1 > 0/
{
	this->status = *(int *)copyin(self->status, sizeof(int));
	printf("%d %d\n", reason[(int)arg1], (this->status & 0x7f) == 0 ? 1 : this->status & 0x80 ? 3 : 2);
}' -c "sh $TMP/ends" 2>/dev/null | awk 'NF { print $1 == 3 ? 2 : $1, $1 == $2 }'
