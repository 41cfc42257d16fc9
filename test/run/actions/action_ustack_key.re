^$
^frames`inner\+0x[0-9a-f]+$
^frames`middle\+0x[0-9a-f]+$
^ entry 1$
