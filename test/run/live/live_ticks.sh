#@ what:    without kernel privileges, tick and profile probes fire for a program that runs clauses itself through the engine library, and can end the trace
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
me ./dtrace -qp "$(cat told)" -n 'app$target:::request { n++; @ = max(n > 10); } tick-20ms /n > 10/ { ticks++; } profile-50hz { profiles++; }
    tick-10ms /ticks >= 3 && profiles >= 3/ { printa("more than ten: %@d\n", @); exit(4); }
    END { printf("the clock has run: %d\n", ticks >= 3); }'
echo "status $?"
