#@ what:    -x cost reports instructions, stack and map memory of each clause, without the code that -x cost itself adds
#@ needs:   syscall python3
program='syscall::getppid:entry /pid == $target/ { n++; }
syscall::getppid:entry, syscall::getpgid:entry /pid == $target/ { @a[arg0] = count(); }
syscall::getppid:entry /pid == $target/ { @a[1] = count(); m = strlen(strjoin(execname, "x")); }
syscall::getppid:entry /pid == $target/ { n++; }'
for size in 256k 4m; do
    $DTRACE -x cost -x format=jsonl -x aggsize=$size -qn "$program" -c "$PROGS/syscalls getppid 20" 2>/dev/null | grep '"of":"clause"' >"$TMP/$size"
done
python3 - "$TMP/256k" "$TMP/4m" <<'END'
import json, sys
small, large = ({row["id"]: row for row in map(json.loads, open(path))} for path in sys.argv[1:])
first, key, calls, last = (small[id] for id in (0, 1, 3, 4))
print("more is called:", first["instructions"] < key["instructions"] < calls["instructions"])
print("stack:", all(0 < row["stack"] <= 512 and row["stack"] % 32 == 0 for row in small.values()), calls["stack"] > first["stack"])
print("both use the map:", all(large[id]["map_memory"] - small[id]["map_memory"] > 1 << 20 for id in (1, 3)))
print("others do not:", all(large[id]["map_memory"] == small[id]["map_memory"] > 0 for id in (0, 4)))
print("the last is as the first:", first["map_memory"] == last["map_memory"], abs(first["instructions"] - last["instructions"]) < 8)
END
