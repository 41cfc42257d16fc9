#@ what:    one compiled object finds what takes long in a program: in the kernel, on the engine inside the program, and with both halves on the same variables
#@ needs:   uprobe
#@ timeout: 60
example=$(dirname "$(readlink -f "$0")")/../../examples/adaptive
ln -s "$(dirname "$(readlink -f "$DTRACE")")/examples/adaptive" "$TMP/built" # -c takes its words apart at blanks
program=$TMP/built/adaptive
cd "$TMP" || exit 1
# Planted are requests 60, 120, ... 300, of 300 ms each. What else is shown took 50 ms because the machine was busy.
planted() { awk '$0 ~ /request/ && $NF < 50000 { for (i = 1; i < NF; i++) if ($i == "request" && $(i + 1) % 60 == 0 && $(i + 3) >= 300000) printf "%d ", $(i + 1) } END { print "" }'; }
echo kernel
"$DTRACE" -s "$example/adaptive.d" -c "$program" | planted
"$DTRACE" -x save=adaptive.o -s "$example/adaptive.d" -c "$program" && readelf -SW adaptive.o | grep -c ' \.dtrace '
echo engine
"$program" --engine adaptive.o | planted
# The kernel's half has no mean of its own: what it finds slow, it does by what the program has learnt.
echo shared
"$DTRACE" -s "$example/adaptive.d" -c "$program --engine adaptive.o --shared" >both
planted <both
awk '/nanosleep\(/ { n++ } END { print (n >= 5 && n < 100) }' both
grep -c '^request' both
echo alone
"$program" --engine adaptive.o --shared 2>&1 | grep -o "traces with no script"
