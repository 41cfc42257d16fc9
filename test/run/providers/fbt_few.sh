#@ what:    for two functions, fbt gives the same arguments, results, stacks and counts as rawfbt, which attaches each probe as a single kprobe
#@ needs:   kprobe
for provider in fbt rawfbt; do
    $DTRACE -qn "$provider::vfs_write:entry,$provider::ksys_write:entry /pid == \$target/ { @[probefunc, \"entry\", arg2] = count(); }
        $provider::vfs_write:return,$provider::ksys_write:return /pid == \$target/ { @[probefunc, \"return\", arg1] = count(); @z[\"arg0\"] = min((int)arg0); }
        END { printa(\"%s %s %d %@d\n\", @); printa(\"%s %@d\n\", @z); }" -c "$PROGS/writes 100 10" | sort
    $DTRACE -qn "$provider::vfs_write:return /pid == \$target/ { stack(2); sym(caller); printf(\"%d\", stackdepth > 2); exit(0); }" -c "$PROGS/writes 3 10" |
        awk 'NF { sub(/\+0x.*/, "", $1); print $1, $2 }'
done
