#@ what:    sysinfo probes count the system calls, bytes, processes, threads and disk requests of a program
#@ needs:   loop
truncate -s 8M $TMP/disk
dev=$(losetup -f --show $TMP/disk)
trap 'losetup -d $dev' EXIT
export COUNTS_DISK=$dev
$DTRACE -qn 'int n, naps; syscall::getppid:entry /pid == $target/ { n++; }
sysinfo:::sysread,sysinfo:::readch,sysinfo:::syswrite,sysinfo:::writech /pid == $target && n == 1/ { @[probename] = sum(arg0); }
sysinfo:::sysfork,sysinfo:::sysvfork,sysinfo:::nthreads /pid == $target && n % 2 == 1 && n < 9/
{
	@[strjoin(probename, n == 3 ? " of fork" : n == 5 ? " of vfork" : " of threads")] = sum(arg0);
}
sysinfo:::msg,sysinfo:::sema /pid == $target && n == 9/ { @[probename] = sum(arg0); }
sysinfo:::bread,sysinfo:::phread,sysinfo:::lread /pid == $target && n == 11/ { @[probename] = sum(arg0); }
sysinfo:::bwrite,sysinfo:::phwrite /n == 13/ { @[probename] = sum(arg0); } /* no predicate on pid: a kernel thread may issue these writes later */
rawtp:block::block_rq_issue /n == 13 && (((struct request *)arg0)->cmd_flags & 0x8ff) == 1/ { @["bawrite"] = sum(-1); }
sysinfo:::bawrite /n == 13/ { @["bawrite"] = sum(arg0); }
sysinfo:::pswitch /pid == $target && n == 15/ { @["asleep"] = sum(arg0); }
sysinfo:::inv_swtch /pid == $target && n == 15/ { @["asleep"] = sum(-arg0); }
rawtp:sched::sched_switch /pid == $target && n == 15 && !arg0 && arg3/ { @["asleep"] = sum(-1); naps++; } /* a sleep whose time is over before the thread leaves the CPU causes no switch */
sysinfo:::syscall /pid == $target && n == 15/ { calls++; }
END { printf("nanosleep and what is around it %d\n", calls >= 17 && calls <= 19); printf("naps %d\n", naps > 0 && naps <= 17); }' \
    -c "$PROGS/counts bytes 11 fork 12 vfork 13 threads 14 ipc 5 disk 15 output 16 sleep 17" | awk '/write / && $1 ~ /^(bw|ph)/ { $2 = ($2 >= 16) } { $1 = $1 } NF && $0 != "bawrite 0"' | sort
