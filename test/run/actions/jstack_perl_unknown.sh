#@ what:    for a Perl of unknown version or structure size, jstack() prints a mark instead of Perl names, prints the native frames, and reports the reason once
#@ needs:   syscall perl python3 x86-64
. ./unknown_build.bash
# Makes two copies of the interpreter, or of its library: one claims to be version 5.99, the other states another size
# of the interpreter's structure.
cat >"$TMP/patch.py" <<'END'
import os, re, subprocess, sys
path, symbol, value, copy = sys.argv[1:]
data = bytearray(open(path, 'rb').read())
symbols = subprocess.run(['readelf', '-W', '--dyn-syms', path], capture_output=True, text=True).stdout
address, size = re.search(r'(\w+)\s+(\d+) OBJECT.* ' + symbol + r'\b', symbols).groups()
for line in subprocess.run(['readelf', '-lW', path], capture_output=True, text=True).stdout.splitlines():
    if line.split()[:1] == ['LOAD']:
        offset, start, _, length = (int(word, 16) for word in line.split()[1:5])
        if start <= int(address, 16) < start + length:
            at = offset + int(address, 16) - start
            data[at:at + int(size)] = int(value).to_bytes(int(size), 'little')
open(copy, 'wb').write(data)
os.chmod(copy, 0o755)
END
perl=$(readlink -f "$(type -P perl)") library=$(ldd "$(type -P perl)" | sed -n 's/.*libperl.* => \([^ ]*\) .*/\1/p')
mkdir "$TMP/copy"
export LD_LIBRARY_PATH=$TMP/copy
echo 'sub call { chdir("/") } call();' >"$TMP/program.pl"
for patch in 'PL_version 99' 'PL_interp_size 4000'; do
    # shellcheck disable=SC2086 # a name and a value
    python3 "$TMP/patch.py" "${library:-$perl}" $patch "$TMP/copy/$(basename "${library:-perl}")"
    program=${library:+$perl}
    unknown_build perl chdir program.pl Perl_runops_standard "${program:-$TMP/copy/perl} $TMP/program.pl"
done
