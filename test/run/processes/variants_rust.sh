#@ what:    Option and other Rust enums give pointers, strings, the name of the active variant, and its members
#@ needs:   rust
. ./values.bash
PROGRAM=values_rust
compare options '
pid$target:a.out:values_rust??options:entry
{
	this->is_some = args.number.variant == "Some";
	printf("%s %s %s %s\n", args.reference == NULL ? "None" : lltostr(args.reference->x), args.text,
	    this->is_some ? lltostr(args.number.Some.__0) : args.number.variant, args.owned);
}
pid$target:a.out:values_rust??shape:entry
/args.shape->discriminant == Circle/
{
	printf("%s %d\n", args.shape->variant, args.shape->Circle.radius);
}
pid$target:a.out:values_rust??shape:entry
/args.shape->variant == "Square"/
{
	printf("%s %d %d\n", args.shape->variant, args.shape->Square.__0, args.shape->Square.__1);
}
pid$target:a.out:values_rust??shape:entry /args.shape->variant == "Empty"/ { printf("%s\n", args.shape->variant); }'
"$DTRACE" -q -c "$PROGS/values_rust options" -n '
pid$target:a.out:values_rust??shape:entry { printf("radius %d\n", args.shape->Circle.radius); }' 2>&1 |
	grep -o 'radius [0-9]*\|index out of bounds' | sort
