#@ what:    on a terminal, bars and long keys fit its width, and on a pipe their width is fixed
#@ needs:   host
unset DTRACE_REPRODUCIBLE
program='BEGIN { @q = quantize(1); @k["abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnop"] = count(); exit(0); }'
at() { script -qec "stty rows 40 cols $1; $DTRACE -qn '$program'" /dev/null | tr -d '\r'; }
shape() { tee "$TMP/text" | grep -o 'value.*count' | tr -d ' ' | awk '{ print length($0) }'; grep -o '@*' "$TMP/text" | awk 'length > longest { longest = length } END { print longest }'; grep -o 'abcdef.*' "$TMP/text" | tr -s ' '; }
$DTRACE -qn "$program" | shape
at 80 | shape
at 100 | shape
at 40 | shape
