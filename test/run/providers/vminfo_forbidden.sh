#@ what:    vminfo:::prot_fault fires for each write to a page that is present and write-protected
#@ needs:   fault-tracepoints
$DTRACE -qn 'int n; syscall::getppid:entry /pid == $target/ { n++; }
vminfo:::prot_fault /pid == $target && (n == 1 || n == 3)/ { @[n == 1 ? "prot_fault" : "prot_fault of shared pages"] = sum(arg0); }' \
    -c "$PROGS/counts forbidden 12 shared 13" | awk '{ $1 = $1 } NF' | sort
