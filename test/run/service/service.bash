# Sourced by the service tests: functions to start a service of the scripts in $dir and to send it requests. The service
# answers requests once it has tried to start every script.
set -m
umask 022
dir=$TMP/scripts.d socket=$TMP/control
mkdir -p "$dir"
script() { cat >"$dir/.new" && mv "$dir/.new" "$dir/$1.d"; } # NAME <TEXT
start() { # [DTRACE ARGUMENTS]
    $DTRACE -x control="$socket" "$@" --service "$dir" >"$TMP/out" 2>"$TMP/err" &
    service=$!
    until ask /v1/scripts >/dev/null; do sleep 0.02; done
}
stop() { # prints the status
    kill -TERM $service
    wait $service
    echo "status $?"
}
ask() { curl -s --unix-socket "$socket" "http://service$1" "${@:2}"; } # PATH [CURL ARGUMENTS]
client() { $DTRACE service "$@" -x control="$socket"; }
value() { python3 -c 'import json, sys; print(json.load(sys.stdin).get(sys.argv[1]))' "$1"; } # NAME <OBJECT
state() { ask "/v1/scripts/$1" | value state; }
until_printed() { until grep -qs "$1" "$TMP/out"; do sleep 0.02; done; } # REGEX
