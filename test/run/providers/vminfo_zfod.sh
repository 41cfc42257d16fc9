#@ what:    vminfo:::zfod: a page of zeros for each page of memory that a process writes to for the first time
#@ needs:   kprobe
grep -q ' do_anonymous_page$' /proc/kallsyms || exit 77 # the compiler may have made it a part of its caller
$DTRACE -qn 'int calls, pages;
syscall::getppid:entry /pid == $target/ { calls++; }
vminfo:::zfod /pid == $target && calls == 1/ { pages += arg0; }
END { printf("%d\n", pages); }' -c "$PROGS/touch_pages 300"
