/*@
 * what:    avg() and stddev() stay exact when sums exceed 64 bits and squares exceed 128 bits
 */
BEGIN
{
    least = -9223372036854775807 - 1;
    most = 9223372036854775807;
    @average["all least"] = avg(least); @average["all least"] = avg(least); @average["all least"] = avg(least);
    @average["all most"] = avg(most); @average["all most"] = avg(most); @average["all most"] = avg(most);
    @average["both"] = avg(least); @average["both"] = avg(most); @average["both"] = avg(most);
    @average["small behind large"] = avg(most); @average["small behind large"] = avg(1);
    @spread["all least"] = stddev(least); @spread["all least"] = stddev(least); @spread["all least"] = stddev(least);
    @spread["all least"] = stddev(least); @spread["all least"] = stddev(least);
    @spread["around zero"] = stddev(least); @spread["around zero"] = stddev(0); @spread["around zero"] = stddev(0);
    @spread["around zero"] = stddev(least);
    printa("%-20s %@d\n", @average);
    printa("%-20s %@d\n", @spread);
    normalize(@average, 4);
    printa("%-20s %@d\n", @average);
    exit(0);
}
