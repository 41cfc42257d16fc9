#@ what:    --bundle of each ready tool contains compiled code and is at most 60 KB large
for tool in opensnoop slowcalls syslatency tcplife whyslow; do
    $DTRACE --bundle "$TMP/$tool" -s "../../../tools/$tool.d" 1
    size=$(stat -c %s "$TMP/$tool")
    [ "$size" -le 61440 ] || echo "$tool: $size bytes"
    grep -aoE 'dtrace-bundle 1 (program|variant)' "$TMP/$tool" | wc -l
done
