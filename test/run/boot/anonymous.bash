# Sourced by the tests of --anonymous. Gives the test its own folder for the program that -A saves, and ends the
# --anonymous tracer with the test.
export DTRACE_ANONYMOUS=$TMP
trap '[[ ! -e $TMP/run/pid ]] || kill "$(<"$TMP/run/pid")"' EXIT
