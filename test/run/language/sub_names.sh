#@ what:    errname(), strerror() and signame() return the names that Python has for the numbers below 133, and "<unknown>" for numbers without a name
#@ needs:   profile python3
$DTRACE -qn 'int i; tick-1ms { printf("%d %s|%s|%s\n", i, errname(-i), signame(i), strerror(i)); i++; }
tick-1ms /i == 133/ { exit(0); }' >"$TMP/names"
python3 - "$TMP/names" <<'E'
import errno, os, re, signal, sys

def signal_number(name):
    first, _, offset = name.partition('+')
    return int(getattr(signal, first)) + int(offset or 0)

wrong = 0
lines = [re.fullmatch(r'(\d+) (\w+|<unknown>)\|([\w+]+|<unknown>)\|(.*)', line.rstrip()).groups() for line in open(sys.argv[1])]
for number, error, sent, text in lines:
    number = int(number)
    known_error = number in errno.errorcode
    known_signal = number in [int(s) for s in signal.Signals] or int(signal.SIGRTMIN) < number < int(signal.SIGRTMAX)
    wrong += (getattr(errno, error) != number or text != os.strerror(number)) if known_error else number > 0 and error != '<unknown>'
    wrong += signal_number(sent) != number if known_signal else sent != '<unknown>'
print(len(lines), 'numbers,', wrong, 'wrong')
E
