#@ what:    -> on a Rust Box, Rc or Arc accesses the value that it owns
#@ needs:   rust
. ./values.bash
PROGRAM=values_rust
compare pointers '
pid$target:a.out:values_rust??pointers:entry
{
	printf("%d %d %d %s %s\n", args.boxed->x, args.counted->y, args.shared->x,
	    args.optional == NULL ? "None" : lltostr(args.optional->x), args.text);
}'
