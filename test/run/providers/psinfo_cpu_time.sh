#@ what:    pr_time of psinfo_t is the CPU time of a process, and pr_ctime that of its exited children
#@ needs:   syscall
printf '%s\n' "$PROGS/burn 300" 'exit 0' >$TMP/work
$DTRACE -qn 'syscall::exit_group:entry /execname == "burn" && progenyof($target)/
{
	printf("%s %d\n", execname, curpsinfo->pr_time.tv_sec * 1000 + curpsinfo->pr_time.tv_nsec / 1000000 >= 150);
}
syscall::exit_group:entry /pid == $target/
{
	printf("parent %d\n", curpsinfo->pr_ctime.tv_sec * 1000 + curpsinfo->pr_ctime.tv_nsec / 1000000 >= 150);
}' -c "sh $TMP/work" | grep .
