#@ what:    -G accepts arm64 object files and writes an arm64 object
#@ needs:   host
cd "$TMP" || exit 1
echo 'provider p { probe go(int); probe done(); };' >p.d
cat >p.c <<'END'
extern void __dtrace_p___go(int), __dtrace_p___done(void);
int f(int x)
{
	__dtrace_p___go(x);
	__dtrace_p___done();
	return x;
}
void g(int x) { __dtrace_p___go(x); }
END
clang --target=aarch64-linux-gnu -O2 -ffreestanding -c p.c
$DTRACE -G -s p.d -o probes.o p.o && echo linked
readelf -h probes.o | grep -c AArch64
readelf -rW probes.o | grep -c R_AARCH64_ABS64
readelf -rW p.o | grep -c 'CALL26\|JUMP26'
# relocations for the is-enabled function and for the note: both refer to the counter
clang --target=aarch64-linux-gnu -O2 -c -o asks.o -x c - <<'END'
extern void __dtraceenabled_p___go(unsigned *);
int asks(void) { unsigned yes = 0; __dtraceenabled_p___go(&yes); return yes; }
END
$DTRACE -G -s p.d -o counters.o asks.o && readelf -rW counters.o | sed -n 's/.*\(R_AARCH64_[A-Z0-9_]*\) .*__dtrace_counter_p___go.*/\1/p'
# the probe calls have become nop instructions, and the tail call has become a return
objcopy -I elf64-little -O binary -j .text p.o text
od -An -tx4 -v -w4 text | grep -c 'd503201f\|d65f03c0'
clang -c -o x86.o -x c - <<'END'
extern void __dtrace_p___done(void);
void h(void) { __dtrace_p___done(); }
END
$DTRACE -G -s p.d -o both.o p.o x86.o 2>&1 | sed 's/^dtrace: //'
