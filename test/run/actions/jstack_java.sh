#@ what:    jstack() prints the methods, files and lines of a Java program as the program itself sees them, interpreted, compiled or inlined
#@ needs:   syscall java x86-64
cat >"$TMP/Nest.java" <<'END'
import java.io.File;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntUnaryOperator;

public class Nest {
    interface Shop { void sell(int left); }

    static class Corner implements Shop {
        public void sell(int left) {
            if (left > 0)
                sell(left - 1);
            else
                leaf();
        }
    }

    static class Market extends Corner {
        @Override public void sell(int left) {
            super.sell(0);
        }
    }

    static final File quiet = new File("/dev/zero"), traced = new File("/dev/full");
    static final StringBuilder truth = new StringBuilder();
    static boolean shows;

    static void leaf() {
        long length = (shows ? traced : quiet).length(); if (shows) show(length);
    }

    // Writes the stack as the traced program itself sees it.
    static void show(long length) {
        StackWalker.getInstance(StackWalker.Option.SHOW_HIDDEN_FRAMES).forEach(frame -> {
            if (frame.getMethodName().equals("show"))
                return;
            String line = frame.getLineNumber() > 0 ? ":" + frame.getLineNumber() : "";
            String place = frame.isNativeMethod() ? "Native Method"
                                                  : frame.getFileName() == null ? "no file" : frame.getFileName() + line;
            truth.append(frame.getClassName() + "." + frame.getMethodName() + " (" + place + ")\n");
        });
    }

    static void caught() {
        try {
            throw new IllegalStateException();
        } catch (IllegalStateException e) {
            leaf();
        } finally {
            leaf();
        }
    }

    static synchronized int twice(IntUnaryOperator of, int n) {
        return of.applyAsInt(n) + of.applyAsInt(n);
    }

    static int key(int n) {
        leaf();
        return n;
    }

    static void all() {
        leaf();
        new Corner().sell(5);
        Shop shop = new Market();
        shop.sell(3);
        caught();
        twice(n -> {
            leaf();
            return n;
        }, 4);
        List.of(3, 1).stream().sorted(Comparator.comparingInt(Nest::key)).forEach(n -> leaf());
        Runnable reference = Nest::leaf;
        reference.run();
    }

    public static void main(String[] arguments) throws Exception {
        for (int i = 0; i < Integer.parseInt(arguments[0]); i++)
            all();
        System.out.println("warm");
        System.in.read();
        shows = true;
        all();
        Thread thread = new Thread(Nest::all, "other");
        thread.start();
        thread.join();
        java.nio.file.Files.writeString(java.nio.file.Path.of(arguments[1]), truth);
    }
}
END
javac -d "$TMP" "$TMP/Nest.java"
mkfifo "$TMP/go"
for form in '-Xint 0' '-XX:TieredStopAtLevel=1 -Xcomp 0' '-Xbatch 20000'; do
    java ${form% *} -cp "$TMP" Nest ${form##* } "$TMP/truth" <"$TMP/go" >"$TMP/warm" &
    exec 3>"$TMP/go"
    until grep -qs warm "$TMP/warm"; do sleep 0.02; done
    $DTRACE -qn 'BEGIN { printf("begun\n"); }
        syscall::newfstatat:entry /pid == $target && copyinstr(arg1) == "/dev/full"/ { jstack(100); }
        syscall::newstat:entry /pid == $target && copyinstr(arg0) == "/dev/full"/ { jstack(100); }' -p $! >"$TMP/out" &
    until grep -qs begun "$TMP/out"; do sleep 0.02; done
    echo >&3
    wait
    exec 3>&-
    # Nest.leaf calls methods of java.io.
    sed -n 's/^ *//; /^java\.io\./d; /^[^`]*(.*)$/p; /^\[/p' "$TMP/out" | diff - "$TMP/truth" &&
        echo "${form% *}:" $(grep -c '^Nest.leaf (' "$TMP/truth")
    rm "$TMP/out" "$TMP/warm"
done
