// inlined: main calls outer(), into which middle() and inner() are inlined; inner() calls leaf(). Built with debug information.
__attribute__((noinline)) int leaf(int number)
{
    asm volatile("" : "+r"(number)); // line 4
    return number;
}

static inline __attribute__((always_inline)) int inner(int number)
{
    return leaf(number + 1) + 1; // line 10
}

static inline __attribute__((always_inline)) int middle(int number)
{
    return inner(number * 3) * 2; // line 15
}

__attribute__((noinline)) int outer(int number)
{
    return middle(number + 4) - 1; // line 20
}

int main(int argc, char **argv)
{
    (void)argv;
    return outer(argc) == 12345; // line 26
}
