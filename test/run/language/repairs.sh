#@ what:    who does what the hint of the first error says, and knows nothing of D, repairs four of five programs with a slip in one step (200 slips)
#@ needs:   syscall python3
count=200
[ -z "${DTRACE_GUEST-}" ] || count=40 # each is two starts of the tracer, of half a second there
python3 ../../repair/client.py "$DTRACE" ../../repair/programs $count | awk '{ print ($1 >= 0.8 * $3 ? "four of five" : $0) }'
