#@ what:    if parsing a program file takes too much memory, one message says so, and stack frames in other files still have names
# The program itself is valid. The test appends 65,000 section headers that all describe the same table of 32,768 functions.
doubled()
{
	cat > "$TMP/part"
	for i in $(seq "$1"); do
		cat "$TMP/part" "$TMP/part" > "$TMP/twice"
		mv "$TMP/twice" "$TMP/part"
	done
	cat "$TMP/part"
}
word() # NUMBER BYTES: prints NUMBER in BYTES bytes, least significant byte first
{
	number=$1
	for i in $(seq "$2"); do
		printf "\\$(printf %03o $((number & 255)))"
		number=$((number >> 8))
	done
}
section() # TYPE OFFSET SIZE LINK ENTRY: prints an ELF section header with these values
{
	word 0 4; word "$1" 4; word 0 16; word "$2" 8; word "$3" 8; word "$4" 4; word 0 4; word 8 8; word "$5" 8
}
liar=$TMP/liar
cp "$PROGS/two_stacks" "$liar"
strip "$liar"
truncate -s %4096 "$liar"
names=$(stat -c %s "$liar") table=$((names + 4096))
printf '\000lie\000' >> "$liar"
truncate -s %4096 "$liar"
{ word 1 4; word 18 1; word 0 1; word 1 2; word 4096 8; word 16 8; } | doubled 15 >> "$liar"
sections=$((table + 24 * 32768))
{ section 0 0 0 0 0; section 3 "$names" 5 0 0; } >> "$liar"
section 2 "$table" $((24 * 32768)) 1 24 | doubled 16 | head -c $((64 * 64998)) >> "$liar"
put() # AT NUMBER BYTES: writes NUMBER in BYTES bytes at offset AT of the program file
{
	word "$2" "$3" | dd of="$liar" bs=1 seek="$1" conv=notrunc status=none
}
put 40 "$sections" 8; put 58 64 2; put 60 65000 2; put 62 1 2
$DTRACE -x sandbox=always -q -n 'syscall::getppid:entry /pid == $target/ { ustack(); }' -c "$liar 1" > "$TMP/out" 2> "$TMP/err"
echo "status $?"
grep -o 'liar`0x' "$TMP/out" | sort -u
grep -o 'libc.so.6`__libc_start' "$TMP/out" | sort -u
# On a slow machine the reader exceeds its time limit before its memory limit.
sed "s|$TMP|TMP|; s/the process that reads it .*/the process that reads it exceeded a limit/" "$TMP/err"
env -u DTRACE_REPRODUCIBLE $DTRACE -x sandbox=always -qn 'pid$target:a.out:main:entry { exit(0); }' -c "$liar 1" 2>&1 | grep -o 'the process that reads it'
