#@ what:    for many functions, fbt gives the same counts, arguments, results, stacks and faults as rawfbt, which attaches each probe as a single kprobe
#@ needs:   kprobe kprobe.multi
#@ timeout: 60
for provider in fbt rawfbt; do
    $DTRACE -qn "$provider::vfs_*:entry /pid == \$target && probefunc == \"vfs_write\"/ { @[\"entry\", arg2] = count(); sym(caller); printf(\"%d\n\", stackdepth > 2); }
        $provider::vfs_*:return /pid == \$target && probefunc == \"vfs_write\"/ { @[\"return\", arg1] = count(); @z[\"arg0\"] = min((int)arg0); this->x = *(int *)8; }
        ERROR { @e[\"faults\"] = count(); }
        END { printa(\"%s %d %@d\n\", @); printa(\"%s %@d\n\", @z); printa(\"%s %@d\n\", @e); }" -c "$PROGS/writes 100 10" 2>/dev/null |
        awk 'NF { $1 = $1; print }' | sort | uniq -c | awk '{ $1 = $1; print }'
done
# The -c command reads which BPF links its parent, the tracer, has attached.
cat >"$TMP/links" <<'X'
has=$(cat /proc/$PPID/fdinfo/* 2>/dev/null | grep -c 'link_type:.*tracing_multi')
can=$(grep -c ' bpf_tracing_multi_attach$' /proc/kallsyms)
echo "as many links as the kernel can: $((has == can))"
X
$DTRACE -qn 'fbt::vfs_*:entry,fbt::vfs_*:return /0/ { }' -c "sh $TMP/links"
