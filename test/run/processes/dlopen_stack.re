 *libcalled.so`called
 *opener`main\+0x.*
