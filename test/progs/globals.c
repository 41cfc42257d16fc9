// globals [COUNT]: global variables of several types, and COUNT (default 1) calls of getppid(2). Built twice: `globals`, and `globals_ctf`, whose
// types are described by CTF.
#include "progs.h"

#include <stdint.h>
#include <sys/syscall.h>

typedef struct node {
    struct node *next;
    int value;
    unsigned low : 3, high : 5;
    long long wide : 40;
    char name[8];
} node_t;

enum colour { RED, BLUE = 5 };

node_t second = {NULL, 7, 1, 2, 3, "second"};
node_t first = {&second, 5, 5, 17, -3, "first"};
node_t *top = &first;
int counter = 42;
short small = -2;
uint64_t large = 1ULL << 40;
enum colour paint = BLUE;
int table[4] = {1, 2, 3, 4};
char greeting[] = "hello";
static int hidden = 9;

int main(int argc, char **argv)
{
    long count = argc > 1 ? number(argv[1]) : 1;
    hidden += argc > 5; // keeps the compiler from removing the variable
    for (long done = 0; done < count; done++) {
        syscall(SYS_getppid);
        counter++;
    }
    return greeting[0] == 'h' && hidden == 9 ? 0 : 1; // maps the variable's page
}
