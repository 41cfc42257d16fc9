#@ what:    on arm64, the return probe of a system call has the same name as the entry, also after execve(2) and in 32-bit programs
#@ needs:   syscall arm64 python3
python3 - "$TMP/armcalls32" <<'P'
import struct, sys
code = struct.pack("<7I",
    0xe3a080ac,  # mov r8, #172: getpid of 64-bit programs
    0xe3a07040,  # mov r7, #64: getppid
    0xef000000,  # svc 0
    0xe3a00000, 0xe3a07001, 0xef000000,  # exit(0)
    0)
file = struct.pack("<16s2H5I6H", b"\x7fELF\1\1\1", 2, 40, 1, 0x10054, 52, 0, 0x5000000, 52, 32, 1, 0, 0, 0)
file += struct.pack("<8I", 1, 0, 0x10000, 0x10000, 84 + len(code), 84 + len(code), 5, 0x1000)
open(sys.argv[1], "wb").write(file + code)
P
chmod 755 "$TMP/armcalls32" && "$TMP/armcalls32" 2>/dev/null || { echo "this processor runs no 32-bit programs"; exit 77; }
cp /bin/true "$TMP/armcalls64"
printf '%s\n' "$TMP/armcalls64" "$TMP/armcalls32" >"$TMP/both"
$DTRACE -qn 'syscall::getppid:, syscall::getpid: /execname == "armcalls32"/ { printf("%s %s\n", probefunc, probename); }
    syscall::execve:return /execname == "armcalls64"/ { printf("%s %s\n", probefunc, probename); }' -c "sh $TMP/both"
