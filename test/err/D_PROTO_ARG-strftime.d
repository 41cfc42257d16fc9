/* @tag: D_PROTO_ARG
 * @says: strftime( ) argument #1 has the unknown conversion %Q
 * @line: 6
 * @hint: the conversions are those of strftime(3), for example %H:%M:%S, and %f for microseconds; %% prints a percent sign
 * a strftime() format with an unknown conversion is an error that lists the conversions */
BEGIN { trace(strftime("%H %Q", walltimestamp)); }
