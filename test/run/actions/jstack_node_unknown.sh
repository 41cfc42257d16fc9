#@ what:    if the objects of a Node.js differ from the offsets that it publishes, jstack() prints a mark in brackets for each frame instead of its name, and reports the reason once
#@ needs:   syscall node python3 x86-64
# Makes a copy of node, or of its library, in which one of the offsets that V8 publishes for debuggers is changed.
cat >"$TMP/patch.py" <<'END'
import os, struct, subprocess, sys

def output(*words):
    return subprocess.run(words, capture_output=True, text=True).stdout.splitlines()

program, folder, name, value = sys.argv[1:]
library = [line.split()[2] for line in output('ldd', program) if 'libnode' in line]
path = library[0] if library else program
address = next(int(line.split()[0], 16) for line in output('nm', '-D', path) if line.split()[-1].startswith('v8dbg_' + name))
data = bytearray(open(path, 'rb').read())
for line in output('readelf', '-lW', path):
    if line.split()[:1] == ['LOAD']:
        offset, start, _, size = (int(word, 16) for word in line.split()[1:5])
        if start <= address < start + size:
            struct.pack_into('<i', data, offset + address - start, int(value))
os.makedirs(folder, exist_ok=True)
copy = os.path.join(folder, os.path.basename(path))
open(copy, 'wb').write(data)
os.chmod(copy, 0o755)
print(program if library else copy)
END
echo "function leaf() { require('fs').statSync('/dev/full'); } [1].map(() => leaf());" >"$TMP/program.js"
export LD_LIBRARY_PATH=$TMP/copy
for change in 'class_JSFunction__shared 40' 'class_SharedFunctionInfo__name_or_scope 32' 'class_Script__name 8' 'type_JSFunction__JS_F 5' \
    'off_fp_function -24'; do
    node=$(python3 "$TMP/patch.py" "$(node -p process.execPath)" "$TMP/copy" ${change% *} "${change#* }")
    $DTRACE -qn 'syscall::statx:entry /pid == $target && copyinstr(arg1) == "/dev/full"/ { jstack(); }' \
        -c "$node $TMP/program.js" >"$TMP/out" 2>"$TMP/messages"
    echo "${change% *}:" $(grep -o '\[node: .*\]' "$TMP/out" | sort -u) $(grep -c 'have no names: ' "$TMP/messages")
    sed -n '/program\.js\|leaf (/p' "$TMP/out"
done
