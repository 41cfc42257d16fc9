#@ what:    lockstat counts each mutex, spin lock and reader-writer lock operation of a program
#@ needs:   kprobe data-symbols lock-functions
. ./skipped.bash
cat >$TMP/count.d <<'D'
int n;
uintptr_t lock;
syscall::getppid:entry /pid == $target/
{
	n++;
	lock = n == 1 ? (uintptr_t)&((struct pipe_inode_info *)curthread->files->fdt->fd[5]->private_data)->mutex :
	    n == 3 ? (uintptr_t)&((struct eventfd_ctx *)curthread->files->fdt->fd[6]->private_data)->wqh.lock : (uintptr_t)&`tasklist_lock;
}
lockstat:::adaptive-acquire,lockstat:::adaptive-release /pid == $target && n == 1 && (uintptr_t)args[0] == lock/ { @[n, probename, -1] = count(); }
lockstat:::spin-acquire,lockstat:::spin-release /pid == $target && n == 3 && (uintptr_t)args[0] == lock/ { @[n, probename, -1] = count(); }
lockstat:::rw-acquire,lockstat:::rw-release /pid == $target && (n == 5 || n == 7) && (uintptr_t)args[0] == lock/ { @[n, probename, args[1] == RW_READER] = count(); }
D
$DTRACE -qs $TMP/count.d -c "$PROGS/locks mutex 50 spin 60 read 70 write 80" 2>$TMP/err | awk '{ $1 = $1 } NF' | sort
# On some kernels the tracer prints messages about the cost of attaching and about locks that its own programs take. The
# test accepts both.
but_skipped $TMP/err | grep -v 'functions by kprobe: about' >&2 || true
