#@ what:    after waits for kernel locks, waker is the previous owner of the lock, and so is blockedon.holder in 99 % of the waits, except for flock(2)
#@ needs:   syscall
#@ timeout: 60
"$PROGS/lock_handovers" 1 >"$TMP/out" 2>&1 || { echo "this kernel has no userfaultfd(2)"; exit 77; }
$DTRACE -qn 'syscall::pipe*:entry /pid == $target && !self->t/ { self->t = mark(); }
    syscall::close:entry /pid == $target && (int)arg0 <= -100000000/ { this->kind = -(int)arg0 / 100000000; this->tid = -(int)arg0 % 100000000;
        @[this->kind, blockedon.kind, "waker", waker.tid == this->tid ? 1 : -1] = count();
        @[this->kind, blockedon.kind, "holder", blockedon.holder == this->tid ? 1 : blockedon.holder ? -1 : 0] = count(); }
    END { printa("%d %s %s %d %@d\n", @); }' -c "$PROGS/lock_handovers 200" >"$TMP/out"
[ "${SHOW:-}" ] && cat "$TMP/out"
awk '
    $3 == "waker" && $4 == 1 { woken[$1] += $5 }
    $3 == "holder" && $4 == 1 { held[$1] += $5 }
    $4 < 0 { print "wrong:", $0 }
    { kind[$1] = $2 }
    END {
        split("pipe file flock inheriting", name, " ")
        for (i = 1; i <= 4; i++)
            print name[i] ":", kind[i], (woken[i] == 200 ? "waker" : woken[i] " wakers"), (i == 3 ? held[i] + 0 : held[i] >= 198 ? "and holder" : held[i] " holders")
    }' "$TMP/out"
