#@ what:    elements of std::vector, std::span and std::array are read within their length, and another index is a fault
. ./values.bash
PROGRAM=values_cxx
compare slices '
pid$target:a.out:*slices*vector*:entry
{
	printf("%d %s %d %d\n", args.numbers[1], args.names[1], args.part[1], args.fixed->_M_elems[2]);
}
pid$target:a.out:*points*vector*:entry
{
	printf("%d %d %s\n", args.points[args.place].x, args.points[args.place].y, args.bytes);
}'
