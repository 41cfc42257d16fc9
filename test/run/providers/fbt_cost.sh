#@ what:    before attaching many functions, fbt prints how long this will take; on a terminal it also shows progress
#@ needs:   guest kprobe no-kprobe.multi
#@ timeout: 120
some=rawfbt::do_*:entry # attaching takes longer than a second, after which progress is shown
[ "$(uname -m)" = x86_64 ] || some=$some,rawfbt::tcp_*:entry # on arm64 attaching takes 4 ms per function, so more are needed; detaching takes 32 ms
script -qec "$DTRACE -qn '$some { @ = count(); } BEGIN { exit(0); }'" /dev/null | tr '\r' '\n' >$TMP/lines
grep -o 'attaching [0-9]* functions by kprobe: about [0-9]* s, and [0-9]* s to detach' $TMP/lines | sed 's/[0-9][0-9]*/N/g'
grep -o '^attaching [0-9]* of [0-9]* \.\.\.$' $TMP/lines | sed 's/[0-9][0-9]*/N/g' | sort -u
grep -c "$(printf '\033')\[K" $TMP/lines
$DTRACE -qn 'rawfbt::vfs_read:entry { @ = count(); } BEGIN { exit(0); }' 2>&1 | sed -n '/attaching/p'
