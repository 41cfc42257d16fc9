#@ what:    writing to a closed stdout or beyond the file size limit is an error that is reported
#@ needs:   syscall
hello='BEGIN { printf("hello\n"); exit(0); }'
says() { "$@" 2>&1 >&- | sed 's/^[^:]*: //'; echo "status ${PIPESTATUS[0]}"; }
says $DTRACE -qn "$hello"
says $DTRACE -ln BEGIN
for mode in --help --version --tools; do says $DTRACE $mode; done
ulimit -f 1000
head -c 1024000 /dev/zero >"$TMP/full"
$DTRACE -q -o "$TMP/full" -n "$hello" 2>&1
echo "status $?"
