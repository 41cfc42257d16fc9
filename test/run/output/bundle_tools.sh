#@ what:    a bundle of a ready-made tool contains the compiled program and has at most 60 KB
for tool in opensnoop slowcalls syslatency tcplife whyslow; do
    $DTRACE --bundle "$TMP/$tool" -s "../../../tools/$tool.d" 1
    size=$(stat -c %s "$TMP/$tool")
    [ "$size" -le 61440 ] || echo "$tool: $size bytes"
    grep -aoE 'dtrace-bundle 1 (program|variant)' "$TMP/$tool" | wc -l
done
