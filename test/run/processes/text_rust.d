/*@
 * what:    Rust values of types &str and String, and slices of bytes, are strings in D
 * needs:   rust
 * run:     -qs %file% -c '%progs%/crab'
 * expect:  exact
 */
pid$target:a.out:crab??label:entry
{
	printf("%s, %d\n", args[0], args[0] == "owned");
	printf("%s, %s\n", args[1], args[2]);
	printf("%d %c\n", args[2].length, args[2].data_ptr[1]);
}
