/*@
 * what:    #pragma D attributes applies before and after a definition
 */
#pragma D attributes Evolving/Evolving/Common early
int early;
int late;
#pragma D attributes Stable/Stable/Common late
#pragma D binding "1.0" early
BEGIN { early = 1; late = 2; printf("%d\n", early + late); exit(0); }
