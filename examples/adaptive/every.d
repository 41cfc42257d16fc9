/* Baseline for the cost of adaptive.d: a record of every request. */
adaptive$target:::request-done
{
	printf("request %d took %d us\n", arg0, (int64_t)arg1 / 1000);
}
