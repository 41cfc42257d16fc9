#@ what:    each kind of mistake in a pid probe description gives its own error tag
for description in main:fffff nosuch:entry main:begin; do
    $DTRACE -x errtags -n "pid\$target:a.out:$description { }" -c "$PROGS/work 1" 2>&1 | grep -o '\[D_[A-Z_]*\]'
done
for provider in pid0 pid2147483647 'pid$pid'; do
    $DTRACE -x errtags -n "$provider:a.out:main:entry { }" 2>&1 | grep -o '\[D_[A-Z_]*\]'
done
