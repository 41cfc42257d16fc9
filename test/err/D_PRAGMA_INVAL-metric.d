/* @tag: D_PRAGMA_INVAL
 * @says: the name of a metric may not end with _bucket, which is reserved for the names of its samples
 * @line: 5
 * a metric name that ends with a suffix such as _bucket, which OpenMetrics reserves, is an error */
#pragma D metric @reads unit=bytes name=read_bucket
BEGIN { @reads = count(); exit(0); }
