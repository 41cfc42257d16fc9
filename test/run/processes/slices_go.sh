#@ what:    elements of Go slices are read within their length, and another index is a fault
#@ needs:   go
. ./values.bash
PROGRAM=values_go
compare slices '
pid$target:a.out:main.slices:entry { printf("%d %s\n", args.numbers[1], args.names[1]); }
pid$target:a.out:main.slices:entry { printf("%d\n", args.numbers[args.place]); }
pid$target:a.out:main.points:entry
{
	printf("%d %d %d %d\n", args.points[1].X, args.points[1].Y, args.pointers[0]->Y, args.raw[2]);
}
pid$target:a.out:main.nested:entry { printf("%d %d %s\n", args.rows[1][0], args.by[1], args.text); }'
