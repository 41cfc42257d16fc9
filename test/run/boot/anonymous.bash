# Sourced by the tests here: a place of their own for what -A saves and for the tracer of --anonymous, which ends with the test.
export DTRACE_ANONYMOUS=$TMP
trap '[[ ! -e $TMP/run/pid ]] || kill "$(<"$TMP/run/pid")"' EXIT
