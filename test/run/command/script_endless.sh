#@ what:    a script with NUL bytes or above 64 MiB is refused, and a byte order mark at its start is skipped
#@ needs:   syscall
ulimit -v 4000000
says() { "$@" 2>&1 | sed "s,$TMP/,,"; echo "status ${PIPESTATUS[0]}"; }
says $DTRACE -s /dev/zero
says $DTRACE -C -s /dev/zero
yes '/* a comment */' | head -c 70000000 >"$TMP/large.d"
says $DTRACE -es "$TMP/large.d"
mkdir "$TMP/lib"
ln -s /dev/zero "$TMP/lib/zero.d"
says $DTRACE -L "$TMP/lib" -en BEGIN
printf '\357\273\277#!/usr/sbin/dtrace -s\nBEGIN { printf("read\\n"); exit(0); }\n' >"$TMP/mark.d"
says $DTRACE -qs "$TMP/mark.d"
says $DTRACE -qCs "$TMP/mark.d"
