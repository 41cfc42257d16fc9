#@ what:    at least 80 % of 200 programs with one mistake compile after one change that follows the hint of the error message
#@ needs:   syscall python3
count=200
[ -z "${DTRACE_GUEST-}" ] || count=40 # each program needs two starts of the tracer, half a second each in a guest
python3 ../../repair/client.py "$DTRACE" ../../repair/programs $count | awk '{ print ($1 >= 0.8 * $3 ? "four of five" : $0) }'
