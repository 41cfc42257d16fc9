/* @tag: D_XLATE_SOU
 * @says: translator output type must be a struct or union: int
 * @line: 5
 * output not a complete struct/union */
translator int < pid_t P > { }; BEGIN { exit(0); }
