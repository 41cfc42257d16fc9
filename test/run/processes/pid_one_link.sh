#@ what:    on kernels that support multi-uprobes, 2,000 uprobes attach through one link
#@ needs:   uprobe.multi
$DTRACE -vn 'pid$target:a.out:f[0-9]*:entry, pid$target:a.out:f[0-9]*:return { @ = count(); }' -c "$PROGS/thousand 1" 2>&1 | grep -E 'refuses|attaching|^ +[0-9]+$' | tr -d ' '
