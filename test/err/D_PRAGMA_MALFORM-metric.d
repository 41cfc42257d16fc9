/* @tag: D_PRAGMA_MALFORM
 * @says: malformed #pragma metric @<aggregation> <word>=<value> ...
 * @line: 5
 * a metric pragma whose aggregation lacks the @ is an error */
#pragma D metric reads name=reads
BEGIN { @reads = count(); exit(0); }
