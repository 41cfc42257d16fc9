#@ what:    every clock sample of a Java program shows its methods in the right order, interpreted or compiled
#@ needs:   java python3 x86-64
cat >"$TMP/Spin.java" <<'END'
public class Spin {
    interface Op { int of(int n); }
    static class Plus implements Op { public int of(int n) { return weigh(n) + 1; } }
    static class Times implements Op { public int of(int n) { return weigh(n) * 3; } }
    static class Less implements Op { public int of(int n) { return weigh(n) - 3; } }

    static int weigh(int n) {
        int sum = 0;
        for (int i = 0; i < 50; i++)
            sum += (n * i) % 7;
        return sum;
    }

    static int each(Op[] ops, int n) {
        int sum = 0;
        for (Op op : ops)
            sum += op.of(n);
        return sum;
    }

    static int nest(int depth, Op[] ops, int n) { return depth > 0 ? nest(depth - 1, ops, n) + 1 : each(ops, n); }

    static int work(long end) {
        Op[] ops = {new Plus(), new Times(), new Less()};
        int sum = 0;
        while (System.currentTimeMillis() < end)
            for (int i = 0; i < 100; i++)
                sum += nest(3, ops, sum);
        return sum;
    }

    public static void main(String[] arguments) { work(System.currentTimeMillis() + 3000); }
}
END
javac -d "$TMP" "$TMP/Spin.java"
cat >"$TMP/check.py" <<'END'
import re, sys

nest = ['weigh', 'of', 'each', 'nest', 'nest', 'nest', 'nest', 'work', 'main']
right = marked = 0
for stack in sys.stdin.read().split('stack\n'):
    found = re.findall(r'Spin(?:\$\w+)?\.(\w+) \(Spin\.java', stack)
    if '[java: a call' in stack or '[incomplete' in stack:
        marked += 1
    elif found:
        if found != nest[nest.index(found[0]):] and found != nest[len(nest) - len(found):] or '[java' in stack:
            print('wrong:', stack)
        right += 1
print('right' if right else 'no samples', 'few marked' if marked * 10 <= right else '%d marked' % marked)
END
for form in '-Xint' '-Xcomp -XX:TieredStopAtLevel=1'; do
    $DTRACE -qn 'profile-997 /pid == $target && arg1/ { printf("stack\n"); jstack(); }' -c "java $form -cp $TMP Spin" |
        python3 "$TMP/check.py"
done
