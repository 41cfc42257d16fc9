#@ what:    fbt: what attaching will cost is said before it is paid; a terminal shows how far it is, and nothing of it is left
#@ needs:   guest kprobe no-kprobe.multi
#@ timeout: 120
script -qec "$DTRACE -qn 'rawfbt::do_*:entry { @ = count(); } BEGIN { exit(0); }'" /dev/null | tr '\r' '\n' >$TMP/lines
grep -o 'attaching [0-9]* functions by kprobe: about [0-9]* s, and [0-9]* s to detach' $TMP/lines | sed 's/[0-9][0-9]*/N/g'
grep -o '^attaching [0-9]* of [0-9]* \.\.\.$' $TMP/lines | sed 's/[0-9][0-9]*/N/g' | sort -u
grep -c "$(printf '\033')\[K" $TMP/lines
$DTRACE -qn 'rawfbt::vfs_read:entry { @ = count(); } BEGIN { exit(0); }' 2>&1 | sed -n '/attaching/p'
