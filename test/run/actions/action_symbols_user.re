^  frames`middle                                     \|$
^  frames`middle                                     \|$
^  frames                                            \|$
^  frames`middle\+0x[0-9a-f]+ +$
^  0x1 +\|$
^frames`middle frames 2$
