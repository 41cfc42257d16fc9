# Sourced by tests of live filters: starts a program that serves generated requests, and that waits for a line of input before it begins.
live=$(dirname "$(readlink -f "$DTRACE")")/examples/live/live
cd "$TMP" || exit 1

# Function "serve ARGUMENTS...": starts the program and waits until its engine listens. $program is its process id. The program
# begins its work when a line is written to descriptor 7, or when the descriptor is closed.
serve() {
    mkfifo input
    "$live" "$@" <input >told & program=$!
    exec 7>input
    until [ -s told ]; do sleep 0.05; done
}

# begins [TRACER]: waits until the tracer has written "ready" to the file traced, stops TRACER if given, and lets the program begin.
begins() {
    until grep -q ready traced 2>/dev/null; do sleep 0.05; done
    [ -z "${1-}" ] || kill -STOP "$1"
    echo >&7
}

# drops: prints the sum of the drops that the tracer reported in the file messages.
drops() { sed -n 's/^dtrace: \([0-9]*\) drops in process [0-9]*$/\1/p' messages | awk '{ sum += $1 } END { print sum + 0 }'; }
