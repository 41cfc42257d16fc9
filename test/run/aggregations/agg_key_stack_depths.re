^$
^ *frames`inner\+0x[0-9a-f]+$
^=1$
^$
^ *frames`inner\+0x[0-9a-f]+$
^ *frames`middle\+0x[0-9a-f]+$
^=2$
