#@ what:    without kernel privileges, users can trace the probes that the engine library runs inside their own programs, but no kernel probes
#@ timeout: 60
live=$(dirname "$(readlink -f "$DTRACE")")/examples/live/live
cd "$TMP" || exit 1
mkfifo input
chmod 777 . && chmod 666 input
me() { setpriv --reuid 4711 --regid 4711 --clear-groups --inh-caps=-all --bounding-set=-all "$@"; }
cp "$DTRACE" dtrace
me "$live" <input >told &
exec 7>input
until [ -s told ]; do sleep 0.05; done
program=$(cat told)
me ./dtrace -qp $program -n 'BEGIN { printf("ready\n"); } app$target:::request /n < 6/ { printf("%d\n", ++n); @[args[0] < 3] = count(); } app$target:::answer /n == 6/ { exit(3); }
    END { printf("end %d\n", n); }' >traced & tracer=$!
me ./dtrace -qp $program -n 'app$target:::request { } syscall:::entry { }' 2>&1 | grep -c . | sed 's/^[1-9].*/the kernel is not his/'
setpriv --reuid 4712 --regid 4712 --clear-groups ./dtrace -qp $program -n 'app$target:::request { }' 2>&1 | head -1 | cut -c1-70
wait $tracer; echo "status $?"
cat traced
