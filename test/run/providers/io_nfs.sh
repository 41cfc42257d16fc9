#@ what:    io:nfs probes compile if the kernel has the NFS structures, and otherwise the error names the missing member
if "$DTRACE" -en 'BEGIN { trace(((struct nfs_pgio_header *)NULL)->args.count); }' 2>/dev/null; then
    wanted=''
else
    wanted='this kernel has no member args.count of struct nfs_pgio_header'
fi
for use in 'sum(args[0]->b_bcount)' 'sum(arg5)' 'count()'; do
    expected=$wanted
    [ "$use" != 'count()' ] || expected='' # count() reads no member
    got=$("$DTRACE" -qen "io:nfs::start { @ = $use; }" 2>&1 | sed -n 's/.* cannot be read: //p')
    [ "$got" = "$expected" ] || echo "$use: <$got>, not <$expected>"
done
"$DTRACE" -en 'io:nfs::start { @ = sum(args[0]->b_bcount); }' 2>&1 | grep 'internal error\|bytes wide'
if [ -n "$wanted" ]; then
    "$DTRACE" -qn 'io:nfs::start { }' 2>&1 | grep -q 'cannot attach io:nfs::start: this kernel has no tracepoint nfs_initiate_read' || echo 'no tracepoint, and not said'
fi
exit 0
