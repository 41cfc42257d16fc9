#@ what:    dtrace.h, libdtrace.so and libdtrace(3) have the same functions, and the Python module calls no others
#@ needs:   syscall python3
for python in python3 /usr/bin/python3; do $python -c 'import cffi' 2>/dev/null && break; done || { echo "cffi is not installed"; exit 77; }
export PYTHONPATH=$PWD/../../../api/python LIBDTRACE=$(dirname "$(readlink -f "$DTRACE")")/libdtrace.so PYTHONDONTWRITEBYTECODE=1
cat >"$TMP/names.py" <<'P'
import re
import sys
from pathlib import Path

from dtrace.library import lib

root = Path(sys.argv[1])
page = set(re.findall(r"\bdtrace_\w+(?=\(\))", (root / "man/libdtrace.3").read_text()))
declared = re.findall(r"^extern [^;]*;", (root / "api/dtrace.h").read_text(), re.MULTILINE)
header = {name for each in declared for name in re.findall(r"\bdtrace_\w+", each) if not name.endswith(("_t", "_f", "_hdl"))}
called = set(re.findall(r"\blib\.(dtrace_\w+)", "".join(path.read_text() for path in (root / "api/python/dtrace").glob("*.py"))))
print("of the page, not of the header:", sorted(page - header))
print("of the header, not of the page:", sorted(header - page))
print("of the binding, not of the page:", sorted(called - page))
print("not in the library:", [name for name in sorted(header) if not hasattr(lib, name)])
P
$python "$TMP/names.py" "$PWD/../../.."
