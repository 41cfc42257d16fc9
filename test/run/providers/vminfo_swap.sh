#@ what:    vminfo probes count the pages that a program writes to swap and reads back
#@ needs:   guest kprobe swap
truncate -s 16M $TMP/disk && mkswap -q $TMP/disk
dev=$(losetup -f --show $TMP/disk)
swapon $dev
echo 0 >/proc/sys/vm/page-cluster # reads single pages, without read-ahead
trap 'swapoff $dev; losetup -d $dev' EXIT
# The program is pinned to one CPU, because madvise(2) swaps out no new pages that the kernel still keeps in a per-CPU list of another CPU.
$DTRACE -qn 'int n;
syscall::getppid:entry /pid == $target/ { n++; }
vminfo:::anonpgout,vminfo:::pgswapout /pid == $target && n == 3/ { @[probename] = sum(arg0); }
vminfo:::anonpgin,vminfo:::pgswapin /pid == $target && n == 5/ { @[probename] = sum(arg0); }' -c "taskset -c 0 $PROGS/counts swap 20" | awk '{ $1 = $1 } NF' | sort
