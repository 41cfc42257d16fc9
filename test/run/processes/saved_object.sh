#@ what:    -x save=FILE writes an ELF object that bpftool can read, without tracing, and reports write errors
#@ needs:   syscall bpftool python3
cd "$TMP" || exit 1
"$DTRACE" -x save=counts.o -n 'int64_t n; string by[int]; syscall::getppid:entry { n++; @calls[execname, arg0] = count(); printf("%d\n", n); }' || exit 1
readelf -SW counts.o | grep -o ' \.dtrace \| \.BTF \| \.maps ' | sort
readelf -sW counts.o | awk '$4 == "FUNC" && $8 ~ /^dt_program/ { print $8 } $8 == "agg_0" || $8 == "var_n" { print $8 }' | sort
bpftool btf dump file counts.o | grep -c "^\[.*VAR 'var_n'"
# Prints parts of the JSON text in the section .dtrace.
offset=$(readelf -SW counts.o | awk '{ for (i = 1; i < NF; i++) if ($i == ".dtrace") print $(i + 3), $(i + 4) }')
read -r from size <<<"$offset"
tail -c +$((0x$from + 1)) counts.o | head -c $((0x$size)) | python3 -c '
import json, sys
d = json.load(sys.stdin)
print(d["version"], [p["probes"][0]["name"].split(":")[2:] for p in d["programs"]])
print([(r["action"], r["format"], [v["kind"] for v in r["data"]]) for r in d["statements"][0]["records"]])
print([(a["name"], a["function"], [k["kind"] for k in a["keys"]]) for a in d["aggregations"]], [v["name"] for v in d["variables"]])'
# If the object cannot be written completely, an existing file stays unchanged and no new file appears.
"$DTRACE" -x save=/dev/full -n BEGIN 2>&1; echo "status $?"
"$DTRACE" -x save=nowhere/counts.o -n BEGIN 2>&1; echo "status $?"
"$DTRACE" -x save=. -n BEGIN 2>&1; echo "status $?"
"$DTRACE" -x save=counts.o -n 'BEGIN { undefined_name }' 2>/dev/null; echo "status $?"
mkdir full
unshare -m bash -c 'mount -t tmpfs -o size=4k none full && "$DTRACE" -x save=full/counts.o -n "syscall:::entry { @[probefunc] = count(); }" 2>&1; echo "status $?"; ls full'
ls
"$DTRACE" -x save=/dev/stdout -n BEGIN | head -c 4 | tail -c 3
echo
