#@ what:    every clock sample of a Ruby program with blocks and exceptions has its methods in the right order, with line numbers
#@ needs:   ruby x86-64
cat >"$TMP/nest.rb" <<'END'
def step(number)
  number * 2 % 7
end
def leaf(count)
  sum = 0
  1.upto(count) do |number|
    sum += step(number)
  end
  sum
end
def order(value)
  leaf(20) + value
end
def nest
  values = [1, 2, 3, 4].sort_by { |value| order(value) }
  begin
    raise 'text' if values.size == 4
  rescue StandardError
    leaf(20)
  end
end
def fall(depth)
  depth > 0 ? fall(depth - 1) : nest
end
def work(count)
  1.upto(count) { fall(3) }
end
work(20_000)
END
# A stack in one line: its methods and their lines, from the outermost one on. Ruby's own methods may be called anywhere.
# A frame that changes in the moment of a sample may be marked. Ruby 2.7 has instructions without a line after calls.
$DTRACE -qn 'profile-997 /pid == $target && arg1/ { printf("stack\n"); jstack(); }' -c "ruby --disable-gems $TMP/nest.rb" 2>"$TMP/messages" |
    sed -n 's/^ *//; s/^stack$/;/p; s/^\(\[[ri].*\)/\1/p; s/^\(.*\) (.*nest\.rb\(:[0-9]*\)\{0,1\})$/\1\2/p' | tac | tr '\n' ' ' | tr ';' '\n' |
    grep '^ <main>' | grep -v incomplete >"$TMP/stacks" # until the library is known
own='([a-z_*%+<=>!]+:[0-9]+ )*'
leaf="leaf(:([4-9]|10))? (upto:6 (block in leaf(:[678])? (step:[123] )?)?)?"
order="sort_by:15 (each:15 )?(block in nest(:15)? (order:1[123] ($leaf)?)?)?"
rescue="rescue in nest:(1[5-9]|2[01]) ($leaf)?"
nest="nest:(1[4-9]|2[01]) ($order|$rescue)?"
grep -Ev "^ <main>:28 (work:2[567] (upto:26 (block in work:26 (fall:2[234] )*($nest)?)?)?)?$own\$" "$TMP/stacks" | head -n 20
[ "$(grep -c step "$TMP/stacks")" -gt 10 ] && [ "$(grep -c 'ruby:' "$TMP/stacks")" -lt "$(($(wc -l <"$TMP/stacks") / 20))" ] && echo right
! grep -v 'have no names: its memory does not have the layout of this version' "$TMP/messages"
