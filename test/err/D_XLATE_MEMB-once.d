/* @tag: D_XLATE_MEMB
 * @says: translator member zz is not a member of struct d
 * @line: 7
 * @count: 1
 * uses of a translator whose definition failed give no further errors */
struct d { int o; };
translator struct d < int P > { zz = P; };
BEGIN { trace(xlate<struct d>(1).o); }
