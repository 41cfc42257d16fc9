// Defines a probe whose argument is the static variable `ti` of the including source file.
#define PROBE(name)                                                                                                    \
    __asm__ volatile("990: nop\n"                                                                                      \
                     ".pushsection .note.stapsdt,\"\",\"note\"\n"                                                      \
                     ".balign 4\n"                                                                                     \
                     ".4byte 992f-991f, 994f-993f, 3\n"                                                                \
                     "991: .asciz \"stapsdt\"\n"                                                                       \
                     "992: .balign 4\n"                                                                                \
                     "993: .8byte 990b, 0, 0\n"                                                                        \
                     ".asciz \"twins\"\n"                                                                              \
                     ".asciz \"" name "\"\n"                                                                           \
                     ".asciz \"-1@ti(%%rip)\"\n"                                                                       \
                     "994: .balign 4\n"                                                                                \
                     ".popsection\n"                                                                                   \
                     :                                                                                                 \
                     :                                                                                                 \
                     : "memory")
