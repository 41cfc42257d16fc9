#@ what:    if the tables of a libjvm.so are damaged, jstack() prints a mark in brackets for each frame instead of its name, and reports the reason once
#@ needs:   syscall java python3 x86-64
# Makes a copy of libjvm.so in which two members of the table for debuggers have each other's name, or one has no name.
cat >"$TMP/patch.py" <<'END'
import struct, subprocess, sys

source, copy, type_name, one, other = sys.argv[1:]
data = bytearray(open(source, 'rb').read())

def headers(at, size_at, count_at):
    start, = struct.unpack_from('<Q', data, at)
    size, count = struct.unpack_from('<H', data, size_at)[0], struct.unpack_from('<H', data, count_at)[0]
    return [start + i * size for i in range(count)]

loaded = [struct.unpack_from('<IIQQQQ', data, at) for at in headers(0x20, 0x36, 0x38)]
loaded = [each for each in loaded if each[0] == 1]
relocations = {}  # place of each pointer's relocation in the file, by the pointer's address
for at in headers(0x28, 0x3a, 0x3c):
    _, kind, _, _, offset, size = struct.unpack_from('<IIQQQQ', data, at)
    if kind == 4:
        for place in range(offset, offset + size, 24):
            relocations[struct.unpack_from('<Q', data, place)[0]] = place

def in_file(address):
    return next(address - each[3] + each[2] for each in loaded if each[3] <= address < each[3] + each[5])

def pointer(address):
    return struct.unpack_from('<q', data, relocations[address] + 16)[0] if address in relocations else 0

def text(address):
    start = in_file(address)
    return data[start:data.index(0, start)].decode()

symbols = subprocess.run(['nm', '-D', source], capture_output=True, text=True).stdout.splitlines()
entry = pointer(next(int(each.split()[0], 16) for each in symbols if 'gHotSpotVMStructs' in each))
found = {}
while pointer(entry):
    if text(pointer(entry)) == type_name:
        found[text(pointer(entry + 8))] = relocations[entry + 8] + 16
    entry += 48
a, b = data[found[one]:found[one] + 8], data[found[other]:found[other] + 8]
data[found[one]:found[one] + 8], data[found[other]:found[other] + 8] = b, a
open(copy, 'wb').write(data)
END
cat >"$TMP/Program.java" <<'END'
public class Program {
    static void leaf() { new java.io.File("/dev/full").length(); }
    public static void main(String[] arguments) throws Exception {
        System.out.println("warm");
        System.in.read();
        leaf();
    }
}
END
javac -d "$TMP" "$TMP/Program.java"
home=$(dirname "$(dirname "$(realpath "$(command -v java)")")")
mkdir -p "$TMP/copy/bin" "$TMP/copy/lib/server"
cp "$home/bin/java" "$TMP/copy/bin"
ln -s "$home"/conf "$TMP/copy"
ln -s "$home"/lib/* "$TMP/copy/lib" 2>"$TMP/messages"
mkfifo "$TMP/go"
for change in 'ConstMethod _name_index _signature_index' 'Method _constMethod _method_data' 'Klass _name _super' \
    'ConstantPool _pool_holder _cache'; do
    python3 "$TMP/patch.py" "$home/lib/server/libjvm.so" "$TMP/copy/lib/server/libjvm.so" $change
    "$TMP/copy/bin/java" -Xint -cp "$TMP" Program <"$TMP/go" >"$TMP/warm" &
    exec 3>"$TMP/go"
    until grep -qs warm "$TMP/warm"; do sleep 0.02; done
    $DTRACE -qn 'BEGIN { printf("begun\n"); }
        syscall::newfstatat:entry /pid == $target && copyinstr(arg1) == "/dev/full"/ { jstack(); }
        syscall::newstat:entry /pid == $target && copyinstr(arg0) == "/dev/full"/ { jstack(); }' -p $! >"$TMP/out" 2>"$TMP/messages" &
    until grep -qs begun "$TMP/out"; do sleep 0.02; done
    echo >&3
    wait
    exec 3>&-
    echo "${change% *}:" $(grep -o '\[java: .*\]' "$TMP/out" | sort -u) $(grep -c 'have no names: ' "$TMP/messages")
    sed -n '/(.*java/p; /Native/p' "$TMP/out"
    rm "$TMP/out" "$TMP/warm"
done
