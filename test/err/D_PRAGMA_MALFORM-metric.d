/* @tag: D_PRAGMA_MALFORM
 * @says: malformed #pragma metric @<aggregation> <word>=<value> ...
 * @line: 5
 * The aggregation has no @. */
#pragma D metric reads name=reads
BEGIN { @reads = count(); exit(0); }
