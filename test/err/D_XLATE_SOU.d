/* @tag: D_XLATE_SOU
 * output not a complete struct/union */
translator int < pid_t P > { }; BEGIN { exit(0); }
