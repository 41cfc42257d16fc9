#@ what:    for a Ruby of unknown version or with unexpected memory contents, jstack() prints a mark instead of Ruby names, and reports the reason once
#@ needs:   syscall ruby python3 x86-64
# Makes two copies of the library: one claims to be the unknown version 9.9, the other a known but wrong version.
cat >"$TMP/patch.py" <<'END'
import re, subprocess, sys
path, version, copy = sys.argv[1:]
data = bytearray(open(path, 'rb').read())
symbols = subprocess.run(['readelf', '-W', '--dyn-syms', path], capture_output=True, text=True).stdout
at = int(re.search(r'(\w+)\s+\d+ OBJECT.* ruby_version\b', symbols).group(1), 16) # constants are where they are in memory
data[at:at + len(version)] = version.encode()
open(copy, 'wb').write(data)
END
ruby=$(readlink -f "$(type -P ruby)") library=$(ldd "$(type -P ruby)" | sed -n 's/.*libruby.* => \([^ ]*\) .*/\1/p')
case $(ruby -e 'print RUBY_VERSION') in 3.1.*) other=3.3.1 ;; *) other=3.1.1 ;; esac
mkdir "$TMP/copy"
cat >"$TMP/program.rb" <<'END'
def call
  Dir.chdir('/')
end
$stderr.puts 'loaded'
$stdin.gets
call
END
mkfifo "$TMP/go"
for version in 9.9.9 $other; do
    python3 "$TMP/patch.py" "$library" "$version" "$TMP/copy/$(basename "$library")"
    exec 3<>"$TMP/go"
    LD_LIBRARY_PATH=$TMP/copy "$ruby" --disable-gems "$TMP/program.rb" <"$TMP/go" 2>"$TMP/state" &
    until grep -qs loaded "$TMP/state"; do sleep 0.02; done
    $DTRACE -qn 'BEGIN { printf("begun\n"); } syscall::chdir:entry /pid == $target/ { printf("stack\n"); jstack(); }' \
        -p $! >"$TMP/out" 2>"$TMP/messages" &
    until grep -qs begun "$TMP/out"; do sleep 0.02; done
    echo >&3
    wait
    grep -o '^stack\|\[ruby: .*\]' "$TMP/out"
    grep -o 'program.rb' "$TMP/out"
    grep -o 'have no names: .*' "$TMP/messages"
done
