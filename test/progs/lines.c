// lines [ROUNDS]: executes its lines known numbers of times. Tests find a line by the word in its comment.
#include <stdio.h>
#include <stdlib.h>

static volatile int total;

static inline __attribute__((always_inline)) void add(int number)
{
    total += number; // inlined
}

__attribute__((noipa)) static int factorial(int number)
{
    if (number <= 1)
        return 1;
    return number * factorial(number - 1); // recursive
}

int main(int argc, char** argv)
{
    const int rounds = argc > 1 ? atoi(argv[1]) : 1;
    for (int i = 0; i < rounds; i++) { // loop
        add(i);
        if (i % 4 == 0)
            total++; // fourth
    }
    add(1);
    total += factorial(6); // call
    printf("%d\n", total); // printed
    return 0;
}
