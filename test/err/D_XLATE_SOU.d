/* @tag: D_XLATE_SOU
 * @says: translator output type must be a struct or union: int
 * @line: 5
 * a translator whose output is no complete struct or union is an error */
translator int < pid_t P > { }; BEGIN { exit(0); }
