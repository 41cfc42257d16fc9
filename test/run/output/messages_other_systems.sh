#@ what:    for kernel module and function names of other systems, the hint gives the Linux form
#@ needs:   host
unset DTRACE_REPRODUCIBLE
hint() { "$@" 2>&1 | sed -n 's/^ *= //p' | head -n 1 | grep . || echo none; }
hint $DTRACE -en 'sysinfo:unix:read:sysread { }'
hint $DTRACE -en 'sysinfo:unix:read:sysreed { }'
hint $DTRACE -en 'fbt:genunix:fop_read:entry { }'
hint $DTRACE -en 'fbt:genunix:fop_nosuch:entry { }'
printf '#!/usr/sbin/dtrace -qZs\nnosuch:::probe { }\n' >"$TMP/z.d"
hint $DTRACE -es "$TMP/z.d"
$DTRACE -Zes "$TMP/z.d"
echo "status $?"
