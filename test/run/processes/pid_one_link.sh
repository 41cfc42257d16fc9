#@ what:    uprobes are attached through one multi-uprobe link on kernels that support it
#@ needs:   uprobe.multi
$DTRACE -vn 'pid$target:a.out:f[0-9]*:entry, pid$target:a.out:f[0-9]*:return { @ = count(); }' -c "$PROGS/thousand 1" 2>&1 | grep -E 'refuses|attaching|^ +[0-9]+$' | tr -d ' '
