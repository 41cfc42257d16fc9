/* @tag: D_PRAGMA_UNUSED
 * @says: unused #pragma metric for @writes
 * @line: 5
 * The program has no such aggregation. */
#pragma D metric @writes name=written unit=bytes
BEGIN { @reads = count(); exit(0); }
