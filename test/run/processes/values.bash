# compare MODE D: runs "$PROGS/$PROGRAM MODE" and traces it with the program D. Compares the values that both print.
# Where the traced program prints "out of range", a clause of D must fault.
compare() {
	"$DTRACE" -q -c "$PROGS/$PROGRAM $1" -o "$TMP/traced" -n "$2" >"$TMP/said" 2>"$TMP/errors"
	diff <(grep -v '^out of range$' "$TMP/said") <(grep . "$TMP/traced") && echo "$(grep -c . "$TMP/traced") lines agree"
	echo "$(grep -c '^out of range$' "$TMP/said") out of range, $(grep -c 'index out of bounds' "$TMP/errors") faults"
	sed '/index out of bounds/d' "$TMP/errors"
}
