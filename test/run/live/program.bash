# What the tests of live filters share: a program that serves made-up requests and waits at its input until it is told to begin.
live=$(dirname "$(readlink -f "$DTRACE")")/examples/live/live
cd "$TMP" || exit 1

# serve ARGUMENTS...: starts the program and waits until its engine listens. $program is its process; a line, or the end, of descriptor 7 has it begin.
serve() {
    mkfifo input
    "$live" "$@" <input >told & program=$!
    exec 7>input
    until [ -s told ]; do sleep 0.05; done
}

# begins [TRACER]: waits until the tracer that writes the file traced is ready, stops it where it is named, and has the program begin.
begins() {
    until grep -q ready traced 2>/dev/null; do sleep 0.05; done
    [ -z "${1-}" ] || kill -STOP "$1"
    echo >&7
}

# drops: how many firings the tracer said were lost, by its file messages.
drops() { sed -n 's/^dtrace: \([0-9]*\) drops in process [0-9]*$/\1/p' messages | awk '{ sum += $1 } END { print sum + 0 }'; }
