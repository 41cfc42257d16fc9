#@ what:    on a terminal, histograms and long keys are as wide as the terminal, and on a pipe they have a fixed width
#@ needs:   host
unset DTRACE_REPRODUCIBLE
program='BEGIN { @q = quantize(1); @k["abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnop"] = count(); exit(0); }'
at() { script -qec "stty rows 40 cols $1; $DTRACE -qn '$program'" /dev/null | tr -d '\r'; }
shape() { tee "$TMP/text" | grep -o 'value.*count' | tr -d ' ' | awk '{ print length($0) }'; grep -o '@*' "$TMP/text" | awk 'length > longest { longest = length } END { print longest }'; grep -o 'abcdef.*' "$TMP/text" | tr -s ' '; }
$DTRACE -qn "$program" | shape
at 80 | shape
at 100 | shape
at 40 | shape
