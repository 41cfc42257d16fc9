#@ what:    pygc.d shows garbage collections of a Python program and the number of objects freed
#@ needs:   uprobe python3
cat >"$TMP/cycles.py" <<'END'
import gc
gc.disable()
gc.collect()
for i in range(10):
    cycle = []
    cycle.append(cycle)
del cycle
for i in range(3):
    gc.collect(1)
END
"$DTRACE" -s pygc.d -c "/usr/bin/python3 $TMP/cycles.py" | awk '$1 == "1" { print $1, $2, ($3 <= $4), $5 }'
