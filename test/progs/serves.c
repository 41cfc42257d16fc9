// A server with a USDT probe that has a semaphore counter (ELF note): serves:::request(number). The program "copies" is
// built from the same source, with the probe copies:::request and with a fixed build id that tests know.
//
// usage: serves CHILDREN FILE   handles request 0 until FILE exists, then forks this many children that handle one each, and runs a command
//        serves alone           handles request 100; status 0 if the probe is enabled
// Prints a line when it is ready, and the number of children that saw the probe enabled.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

__asm__(".pushsection .stapsdt.base,\"aG\",\"progbits\",.stapsdt.base,comdat\n"
        ".weak _.stapsdt.base\n.hidden _.stapsdt.base\n_.stapsdt.base: .space 1\n.size _.stapsdt.base, 1\n"
        ".popsection\n");

__attribute__((section(".probes"))) volatile unsigned short wanted;

#ifndef PROVIDER
#define PROVIDER "serves"
#endif

__attribute__((noinline)) static int handle(uint64_t number)
{
    if (!wanted)
        return 0;
    __asm__ volatile("990: nop\n"
                     ".pushsection .note.stapsdt,\"\",\"note\"\n.balign 4\n.4byte 992f-991f, 994f-993f, 3\n"
                     "991: .asciz \"stapsdt\"\n992: .balign 4\n993: .8byte 990b, _.stapsdt.base, wanted\n"
                     ".asciz \"" PROVIDER "\"\n.asciz \"request\"\n.asciz \"8@%0\"\n994: .balign 4\n.popsection\n"
                     :
                     : "r"(number));
    return 1;
}

int main(int argc, char **argv)
{
    int saw = 0, status = 0;

    if (argc > 1 && strcmp(argv[1], "alone") == 0)
        return !handle(100);
    puts("serves");
    fflush(stdout);
    while (access(argv[2], F_OK) != 0) {
        handle(0);
        usleep(1000);
    }
    for (int i = 1; i <= atoi(argv[1]); ++i) {
        const pid_t child = fork();
        if (child == 0)
            _exit(handle((uint64_t)i));
        waitpid(child, &status, 0);
        saw += WEXITSTATUS(status);
    }
    status = system("true");
    printf("%d children saw it\n", saw);
    return status;
}
