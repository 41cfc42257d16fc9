#@ what:    vminfo:::zfod fires for each zeroed page that a process gets when it first writes to the page
#@ needs:   kprobe
grep -q ' do_anonymous_page$' /proc/kallsyms || { echo "do_anonymous_page is a part of its caller in this kernel"; exit 77; }
$DTRACE -qn 'int calls, pages;
syscall::getppid:entry /pid == $target/ { calls++; }
vminfo:::zfod /pid == $target && calls == 1/ { pages += arg0; }
END { printf("%d\n", pages); }' -c "$PROGS/touch_pages 300"
