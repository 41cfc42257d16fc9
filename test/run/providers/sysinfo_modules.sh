#@ what:    sysinfo fires when a kernel module is loaded and unloaded
#@ needs:   guest
# The guest's modules are installed next to its kernel. For a kernel without modules, the test prints the expected output and ends.
module=$(ls "$PROGS"/../../../guest/debian/lib/modules/"$(uname -r)"/kernel/drivers/net/dummy.ko 2>/dev/null) || { printf 'modload 1\nmodunload 1\n'; exit; }
cat >$TMP/load <<S
busybox insmod $module
busybox rmmod dummy
S
$DTRACE -qn 'sysinfo:::modload,sysinfo:::modunload /progenyof($target)/ { @[probename] = sum(arg0); }' -c "sh $TMP/load" | awk '{ $1 = $1 } NF' | sort
