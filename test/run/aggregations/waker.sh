#@ what:    waker identifies the thread that ended a wait, and stack(waker) and ustack(waker) show where that thread was
#@ needs:   syscall
cd "$TMP" || exit 1
# In part "child", a child process ends the wait, so the waker has another pid. Only the main thread waits and calls mark().
for part in pipe futex lock poll signal child; do
    cp "$PROGS/parts" wk_$part
    $DTRACE -qn 'syscall::close:entry /progenyof($target) && (int)arg0 == -1/ { self->mark = mark(); }
        syscall::close:entry /self->mark && (int)arg0 == -2/ {
            printf("%s %d %d %d\n", waker.execname, waker.pid == waker.tid, waker.pid != pid, waited > 0); stack(waker); ustack(waker); self->mark = 0; }' \
        -c "./wk_$part $part" >out
    awk -v part=$part '$1 == "wk_" part && NF == 4 { print $0 } /vmlinux`.*(wake|send_sig|complete)/ { kernel = 1 } /wk_|libc|ld-linux/ { user = 1 } $2 == "lasted" { lasted = $3 }
        END { print part, kernel ? "woken in the kernel" : "no kernel stack", user ? "by its code" : "no user stack" }' out
done
