# compare MODE D: traces the program $PROGS/$PROGRAM in a mode, and compares its own output with the output of D. For a
# line "out of range" of the program, the clause must fault.
compare() {
	"$DTRACE" -q -c "$PROGS/$PROGRAM $1" -o "$TMP/traced" -n "$2" >"$TMP/said" 2>"$TMP/errors"
	diff <(grep -v '^out of range$' "$TMP/said") <(grep . "$TMP/traced") && echo "$(grep -c . "$TMP/traced") lines agree"
	echo "$(grep -c '^out of range$' "$TMP/said") out of range, $(grep -c 'index out of bounds' "$TMP/errors") faults"
	sed '/index out of bounds/d' "$TMP/errors"
}
