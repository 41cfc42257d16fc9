#@ what:    psinfo_t gives CPU time in pr_time, and in the parent's pr_ctime after exit
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
