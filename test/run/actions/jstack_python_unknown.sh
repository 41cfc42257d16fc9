#@ what:    for a Python of unknown version, jstack() prints a mark instead of Python names, prints the native frames, and reports the reason once
#@ needs:   syscall python3
. ./unknown_build.bash
# Makes a copy of the interpreter, or of its library, that claims to be Python 3.99.
cat >"$TMP/patch.py" <<'EOF'
import os, struct, sys, sysconfig

paths = {line.split()[-1] for line in open('/proc/self/maps') if 'x' in line.split()[1]}
library = [path for path in paths if os.path.basename(path).startswith('libpython')]
path = library[0] if library else os.path.realpath(sys.executable)
data = open(path, 'rb').read()
version = struct.pack('<Q', sys.hexversion)
assert version in data
os.makedirs(sys.argv[1])
copy = os.path.join(sys.argv[1], os.path.basename(path))
open(copy, 'wb').write(data.replace(version, struct.pack('<Q', 0x036300f0)))
os.chmod(copy, 0o755)
print(sys.executable if library else copy)
EOF
echo 'import os; (lambda: os.getppid())()' >"$TMP/program.py"
python=$(python3 "$TMP/patch.py" "$TMP/copy")
export PYTHONHOME LD_LIBRARY_PATH=$TMP/copy
PYTHONHOME=$(python3 -c 'import sys; print(sys.prefix)')
unknown_build python getppid program.py _PyEval_EvalFrameDefault "$python $TMP/program.py"
