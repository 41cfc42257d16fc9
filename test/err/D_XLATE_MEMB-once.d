/* @tag: D_XLATE_MEMB
 * @says: translator member zz is not a member of struct d
 * @line: 7
 * @count: 1
 * an error in the definition of a translator is reported once, and not again where the program uses the translator */
struct d { int o; };
translator struct d < int P > { zz = P; };
BEGIN { trace(xlate<struct d>(1).o); }
