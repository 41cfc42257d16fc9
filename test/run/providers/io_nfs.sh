#@ what:    NFS probes compile on kernels with their structures, and elsewhere the error names the missing one
if "$DTRACE" -en 'BEGIN { trace(((struct nfs_pgio_header *)NULL)->args.count); }' 2>/dev/null; then
    wanted=''
else
    wanted='this kernel has no member args.count of struct nfs_pgio_header'
fi
for use in 'sum(args[0]->b_bcount)' 'sum(arg5)' 'count()'; do
    [ "$use" != 'count()' ] || wanted='' # reads none of them
    got=$("$DTRACE" -qen "io:nfs::start { @ = $use; }" 2>&1 | sed -n 's/.* cannot be read: //p')
    [ "$got" = "$wanted" ] || echo "$use: <$got>, not <$wanted>"
done
"$DTRACE" -en 'io:nfs::start { @ = sum(args[0]->b_bcount); }' 2>&1 | grep 'internal error\|bytes wide'
exit 0
