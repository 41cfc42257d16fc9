/*@
 * what:    avg() and stddev() stay exact beyond 64 bits when the clauses of several probes update the aggregation
 */
int64_t least, most;
BEGIN
{
    least = -9223372036854775807 - 1;
    most = 9223372036854775807;
    @average["up"] = avg(most); @average["up"] = avg(most);
    @average["down"] = avg(least); @average["down"] = avg(least);
    @spread = stddev(least); @spread = stddev(least); @spread = stddev(least);
    exit(0);
}
END
{
    @average["up"] = avg(most);
    @average["down"] = avg(least);
    @spread = stddev(0);
    printa("%s %@d\n", @average);
    printa("%@d\n", @spread); /* expected: 2^63 * sqrt(3 / 4 - 9 / 16) */
}
