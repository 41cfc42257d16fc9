#@ what:    pid probes work in a program that runs in its own mount and pid namespaces
mkdir "$TMP/own"
unshare -fpm --propagation private sh -c "mount -t tmpfs none $TMP/own && cp $PROGS/sleeper $TMP/own/inside && exec $TMP/own/inside" 2>/dev/null &
outer=$!
until target=$(pgrep -P $outer) && [[ $(readlink "/proc/$target/exe") == */own/inside ]]; do sleep 0.1; done
ls "$TMP/own"
$DTRACE -qn 'pid$target:inside:main:[0-9]* { printf("%s %s %d\n", probemod, probefunc, pid == $target); exit(0); }' -p "$target"
kill -KILL "$target" # unshare then ends with an error status, which is ignored
wait $outer 2>/dev/null
true
