#@ what:    every clock sample of a Perl program with closures and callbacks has its functions in the right order, with line numbers
#@ needs:   perl x86-64
cat >"$TMP/nest.pl" <<'END'
use List::Util 'first';

sub step {
    return $_[0] * 2 % 7;
}
sub leaf {
    my $sum = 0;
    for my $i (1 .. $_[0]) {
        $sum += step($i);
    }
    return $sum;
}
package Key {
    sub order { return main::leaf(50) + $a <=> $b }
}
sub nest {
    my @values = sort Key::order 1 .. 20;
    return eval { leaf(20) };
}
sub fall {
    return $_[0] ? fall($_[0] - 1) : nest();
}
sub work {
    for (1 .. $_[0]) {
        first { fall(3); 0 } 1 .. 3;
    }
}
work(2400);
END
# Prints each stack on one line, as functions with their line numbers. A function has no line number during a call or a
# return. A frame that changes at the moment of a sample may be marked; then the tracer prints a message.
$DTRACE -qn 'profile-997 /pid == $target && arg1/ { printf("stack\n"); jstack(); }' -c "perl $TMP/nest.pl" 2>"$TMP/messages" |
    sed -n 's/^ *//; s/^stack$/;/p; s/^\(\[[pi].*\)/\1/p; s/^\(.*\) (.*nest\.pl\(:[0-9]*\)\{0,1\})$/\1\2/p' | tr '\n' ' ' | tr ';' '\n' |
    grep ' main::work' | grep -v incomplete >"$TMP/stacks" # until the library is known
leaf='((main::step(:4)? )?main::leaf(:[7-9]|:11)? )?'
nest="($leaf(Key::order(:14)? )?main::nest(:1[78])? )?"
grep -Ev "^ (\[perl: a call begins\] )?(${nest}(main::fall(:21)? )*main::__ANON__(:25)? )?main::work(:2[45])? \(main\):28 $" "$TMP/stacks"
[ "$(grep -c main::step "$TMP/stacks")" -gt 10 ] && [ "$(grep -c begins "$TMP/stacks")" -lt "$(($(wc -l <"$TMP/stacks") / 20))" ] && echo right
! grep -v 'have no names: its memory does not have the layout of this version' "$TMP/messages"
