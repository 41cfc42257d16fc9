/*@
 * what:    #pragma D attributes sets the stability of a definition that stands before or after it
 */
#pragma D attributes Evolving/Evolving/Common early
int early;
int late;
#pragma D attributes Stable/Stable/Common late
#pragma D binding "1.0" early
BEGIN { early = 1; late = 2; printf("%d\n", early + late); exit(0); }
