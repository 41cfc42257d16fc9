/* @tag: D_PROTO_ARG
 * @says: strftime( ) argument #1 has the unknown conversion %Q
 * @line: 5
 * @hint: the conversions are those of strftime(3), for example %H:%M:%S, and %f for microseconds; %% prints a percent sign */
BEGIN { trace(strftime("%H %Q", walltimestamp)); }
