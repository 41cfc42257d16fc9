#@ what:    -> and * on std::unique_ptr and std::shared_ptr access the object that they own
. ./values.bash
PROGRAM=values_cxx
compare pointers '
pid$target:a.out:*pointers*unique_ptr*:entry
{
	printf("%d %s %d %s %d %s\n", args.single->number, args.single->owner, args.shared->number, args.shared->owner,
	    args.shared->_M_refcount._M_pi->_M_use_count, *args.released == NULL ? "null" : "set");
}'
