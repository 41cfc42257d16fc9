#@ what:    a program file with a symbol name of a megabyte does not make the tracer use more memory than the file's size
#@ needs:   uprobe python3
python3 - $PROGS/calls $TMP/calls <<'END'
import struct, sys
file = bytearray(open(sys.argv[1], "rb").read())
headers, = struct.unpack_from("<Q", file, 40)
entry, count = struct.unpack_from("<HH", file, 58)
sections = [list(struct.unpack_from("<IIQQQQIIQQ", file, headers + i * entry)) for i in range(count)]
table = next(i for i, section in enumerate(sections) if section[1] == 2) # SHT_SYMTAB
code = next(section[3] for section in sections if section[2] & 4 and section[5] > 200)
names = b"\0" + b"a" * 1000000 + b"\0"
symbols = bytes(24) + b"".join(struct.pack("<IBBHQQ", 1 + 40 * i, 2, 0, 14, code + i, 1) for i in range(20000))
for i, content in (sections[table][6], names), (table, symbols):
    file += bytes(-len(file) % 8)
    sections[i][4:6] = len(file), len(content)
    sections[i][7] = 1 if i == table else 0
    struct.pack_into("<IIQQQQIIQQ", file, headers + i * entry, *sections[i])
    file += content
open(sys.argv[2], "wb").write(file)
END
chmod +x $TMP/calls
ulimit -v 2000000
$DTRACE -ln 'pid$target:a.out:a*:entry' -c "$TMP/calls 1" 2>&1 | awk 'NR > 1 { long += length($4) > 100 } END { print (long > 0 ? "named" : $0) }'
$DTRACE -qn 'syscall::exit_group:entry /pid == $target/ { @[ustack()] = count(); } END { printa("%@d\n", @); }' -c "$TMP/calls 1" 2>&1 | grep -v '^$'
