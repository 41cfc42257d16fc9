#@ what:    who does what the hint of the first error says, and knows nothing of D, repairs four of five programs with a slip in one step (200 slips)
#@ needs:   syscall
python3 ../../repair/client.py "$DTRACE" ../../repair/programs 200 | awk '{ print ($1 >= 0.8 * $3 ? "four of five" : $0) }'
