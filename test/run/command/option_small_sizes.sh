#@ what:    with buffer sizes of a few bytes, records and keys that fit are stored, and all others are counted as drops
dtrace() {
	echo "$1 $2"
	taskset -c 0 $DTRACE -x droptags "$@" 2>&1 | grep -v '^$\|aggregations could not keep\|^dtrace: lost: '
}
# An aggregation entry takes 16 bytes (key and count, 8 each), and so does an array element (key and value).
for size in aggsize=8 aggsize=16 aggsize=32; do
	dtrace -x $size -qn 'BEGIN { @[1] = count(); @[2] = count(); @[3] = count(); printf("on\n"); exit(0); }'
done
for size in 12 15 16 32; do
	dtrace -x dynvarsize=$size -qn 'BEGIN { a[1] = 1; printf("first %d\n", a[1]); } BEGIN { a[2] = 1; printf("second %d\n", a[2]); } BEGIN { a[3] = 1; } BEGIN { exit(0); }'
	dtrace -x dynvarsize=$size -qn 'BEGIN { self->x = 7; printf("%d\n", self->x); } BEGIN { exit(0); }'
done
# A record of a number takes 8 bytes, one of the text 16 and one of exit() 8, each with its 4-byte id.
for size in 4 8 16 31 1k; do
	for policy in switch fill ring; do
		dtrace -b $size -x bufpolicy=$policy -x strsize=8 -qn 'BEGIN { trace(1); } BEGIN { trace(2); } BEGIN { trace("a text"); } BEGIN { exit(0); }' | paste -s -
	done
done
