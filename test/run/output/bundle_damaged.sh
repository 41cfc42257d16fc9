#@ what:    --run-bundle refuses damaged bundles and other files with one line, and recompiles a bundle that was made for another machine
cd "$TMP" || exit
$DTRACE --bundle one -n 'BEGIN { trace("one"); exit(0); }'
$DTRACE --bundle two -qn 'BEGIN { trace("two"); exit(0); }'
run() { $DTRACE -q --run-bundle "$1" 2>&1 | sed 's/ [0-9]* bytes of [0-9]*/ N bytes of M/'; }
echo 'BEGIN { exit(0); }' >text
run text
head -c 500 one >cut
run cut
head -c 20 one >cut
run cut
tail -n +2 one >headless
run headless
size=$(stat -c %s one)
{ head -c $((size - 100)) one; printf X; tail -c 99 one; } >changed
run changed
cat one two >both
run both
run nowhere
sed 's/^dtrace-bundle 1/dtrace-bundle 2/' one >newer
run newer
sed 's/ kernel=[^ ]*/ kernel=1.2.3/' one >elsewhere
$DTRACE --run-bundle elsewhere 2>&1 | sed 's/and [^ ]* on this machine/and THIS on this machine/'
cat elsewhere one >either
run either
echo
$DTRACE --bundle shows -n 'BEGIN { print(*curthread); exit(0); }' 2>&1
$DTRACE --bundle here -n 'BEGIN { trace($pid); exit(0); }' 2>&1
