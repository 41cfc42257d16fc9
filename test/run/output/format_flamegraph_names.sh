#@ what:    -x format=flamegraph shows C++ functions with demangled names
#@ needs:   uprobe python3
$DTRACE -x format=flamegraph -o "$TMP/graph.svg" -qn 'pid$target:a.out:greet:entry { @[ustack()] = count(); }' -c "$PROGS/shop 3" >/dev/null
python3 - "$TMP/graph.svg" <<'P'
import sys, xml.etree.ElementTree as xml
print("\n".join(sorted(name for name in (group.get("data-n") for group in xml.parse(sys.argv[1]).getroot().iterfind(".//{*}g")) if name and "(" in name)))
P
