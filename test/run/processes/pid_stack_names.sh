#@ what:    a description can name a function as stack traces print it: with or without template arguments, parameters and hashes
#@ needs:   rust
fired() { "$DTRACE" -qn "$1 { @[probefunc] = count(); }" -c "$PROGS/$2" 2>&1 | sed 's/(anonymous namespace)/NAMELESS/' | sed 's|  *| |g' | grep . | sort; }
fired 'pid$target::shop::Item::sell:entry' typed_cxx
fired 'pid$target:a.out:shop::Item::sell(int, bool):entry' typed_cxx
fired 'pid$target:shop::show:entry' typed_cxx
fired 'pid$target::(anonymous namespace)::Doubler::twice:entry' 'values_cxx templates'
fired 'pid$target::(anonymous namespace)::Doubler<long>::twice(long) const:entry' 'values_cxx templates'
fired 'pid$target::crab::inner::*:entry' crab
fired 'pid$target::crab::area::h0123456789abcdef:entry' crab
fired 'pid$target::crab..inner..Account..deposit:entry' crab
