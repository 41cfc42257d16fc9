#@ what:    elements of slices and vectors of Rust are read within their length, and another index is a fault
#@ needs:   rust
. ./values.bash
PROGRAM=values_rust
compare slices '
pid$target:a.out:values_rust??slices:entry
{
	printf("%d %d %s %s\n", args.numbers[1], args.owned[2], args.names[1], args.strings[1]);
}
pid$target:a.out:values_rust??points:entry
{
	this->point = &args.points[args.place];
	printf("%d %d %d\n", this->point->x, this->point->y, args.bytes[args.place]);
}
pid$target:a.out:values_rust??pair:entry
{
	printf("%d %d %d %d %d\n", args.point.x, args.point.y, args.flag.__0, args.flag.__1, args.small.__2);
}'
