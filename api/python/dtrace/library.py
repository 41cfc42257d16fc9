"""Loads libdtrace.so with cffi, by the declarations of dtrace.h."""

import os
import re
from pathlib import Path

import cffi

_HERE = Path(__file__).resolve().parent
# An installed header is in the folder of this file. In the source tree the header is in api/.
_HEADERS = (_HERE / "dtrace.h", _HERE.parent.parent / "dtrace.h")
_SONAME = "libdtrace.so.0"
# Declarations that dtrace.h gets from other headers.
_INCLUDED = """
typedef char *caddr_t;
typedef int pid_t;
typedef uint64_t Elf64_Addr;
typedef struct {
    uint32_t st_name;
    unsigned char st_info, st_other;
    uint16_t st_shndx;
    Elf64_Addr st_value;
    uint64_t st_size;
} Elf64_Sym;
"""


def declarations(header):
    """Returns a header in the form that cffi parses: without comments and conditions, and only with numeric macros."""
    text = re.sub(r"/\*.*?\*/", " ", header, flags=re.DOTALL)
    text = re.sub(r"\\\n", " ", text)
    text = re.sub(r'^\s*extern "C" \{\s*$', "", text, flags=re.MULTILINE)
    lines = []
    for line in text.splitlines():
        number = re.match(r"#define\s+(\w+)\s+\(?(-?(?:0x[0-9a-fA-F]+|[0-9]+))\)?\s*$", line)
        if number:
            lines.append(f"#define {number[1]} {number[2]}")
        elif not line.startswith("#") and line.strip() != "}":
            lines.append(line)
    # cffi needs numbers for array sizes and for macros that are sums of other macros.
    known = dict(re.findall(r"#define (\w+) (\d+)", "\n".join(lines)))
    text = "\n".join(lines)
    for name, value in known.items():
        text = re.sub(rf"\[{name}\]", f"[{value}]", text)
    for name, first, more in re.findall(r"#define (DTRACE\w+) \((DTRACEACT_\w+) \+ (\w+)\)", header):
        base = int(re.search(rf"#define {first} (\w+)", text)[1], 0)
        text += f"\n#define {name} {base + int(more, 0)}"
    return _INCLUDED + text


def _header():
    for path in _HEADERS:
        if path.exists():
            return path.read_text(encoding="utf-8")
    raise ImportError(f"cannot find dtrace.h: looked for {', '.join(map(str, _HEADERS))}")


ffi = cffi.FFI()
ffi.cdef(declarations(_header()))
lib = ffi.dlopen(os.environ.get("LIBDTRACE", _SONAME))

UNSET = -2  # DTRACEOPT_UNSET
