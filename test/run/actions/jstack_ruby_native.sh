#@ what:    jstack() keeps the native functions of a Ruby extension between the blocks that it calls and its caller, also after exceptions
#@ needs:   syscall ruby x86-64
#@ timeout: 60
cat >"$TMP/order.rb" <<'END'
require 'stringio'
$stderr.puts 'loaded'
$stdin.gets # until the tracer knows the libraries
def leaf
  Dir.chdir('/')
end
def nested
  text = StringIO.new("one\n")
  text.each_line { leaf }
  text.rewind
  text.each_line { [1].each { leaf } }
  text.rewind
  text.each_line { raise 'error' }
rescue StandardError
  leaf
  text.rewind
  text.each_line do
    raise 'error'
  rescue StandardError
    leaf
  end
end
nested
END
mkfifo "$TMP/go"
exec 3<>"$TMP/go"
ruby "$TMP/order.rb" <"$TMP/go" 2>"$TMP/state" &
until grep -qs loaded "$TMP/state"; do sleep 0.02; done
$DTRACE -qn 'BEGIN { printf("begun\n"); } syscall::chdir:entry /pid == $target/ { printf("stack\n"); jstack(); }' -p $! >"$TMP/out" &
until grep -qs begun "$TMP/out"; do sleep 0.02; done
echo >&3
wait
sed -n 's/^ *//; /^stack$/p; s/^stringio\.so`.*/(native)/p; s/ ([^ ]*order\.rb:[0-9]*)$//p' "$TMP/out" | uniq | paste -sd, | sed 's/,stack/\nstack/g'
