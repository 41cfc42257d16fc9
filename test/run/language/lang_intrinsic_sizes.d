/*@
 * what:    the built-in types and typedefs have the documented sizes
 */
BEGIN {
	printf("%d %d %d %d %d %d\n", sizeof (char), sizeof (short), sizeof (int), sizeof (long), sizeof (long long), sizeof (_Bool));
	printf("%d %d %d\n", sizeof (float), sizeof (double), sizeof (long double));
	printf("%d %d %d %d\n", sizeof (pid_t), sizeof (size_t), sizeof (void *), sizeof (u_longlong_t));
	printf("%d %d %d %d\n", sizeof (unsigned), sizeof (signed char), sizeof (unsigned short int), sizeof (long unsigned int));
	exit(0);
}
