#@ what:    jstack() shows the native functions of a Perl extension between their Perl caller and the Perl functions that they call, also with eval and sort
#@ needs:   syscall perl x86-64
#@ timeout: 60
cat >"$TMP/order.pl" <<'END'
use List::Util qw(first reduce);
BEGIN { print STDERR "loaded\n"; <STDIN> } # until the tracer knows the library
sub leaf { chdir '/' }
sub nested {
    my $value = first { eval { leaf() }; 1 } 1, 2;
    $value = reduce { eval { leaf(); 1 } } 1, 2;
    my @sorted = sort { eval { leaf() }; first { eval 'leaf()'; 1 } 1; 0 } 1, 2;
}
eval { nested() };
END
mkfifo "$TMP/go"
exec 3<>"$TMP/go"
perl "$TMP/order.pl" <"$TMP/go" 2>"$TMP/state" &
until grep -qs loaded "$TMP/state"; do sleep 0.02; done
$DTRACE -qn 'BEGIN { printf("begun\n"); } syscall::chdir:entry /pid == $target/ { printf("stack\n"); jstack(); }' -p $! >"$TMP/out" &
until grep -qs begun "$TMP/out"; do sleep 0.02; done
echo >&3
wait
sed -n 's/^ *//; /^stack$/p; s/^Util\.so`.*/native/p; s/ (.*:[0-9]*)$//p' "$TMP/out" | paste -sd' ' | sed 's/ stack/\nstack/g'
