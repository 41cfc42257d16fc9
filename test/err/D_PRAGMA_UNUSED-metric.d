/* @tag: D_PRAGMA_UNUSED
 * @says: unused #pragma metric for @writes
 * @line: 5
 * a metric pragma for an aggregation that the program does not have is an error */
#pragma D metric @writes name=written unit=bytes
BEGIN { @reads = count(); exit(0); }
