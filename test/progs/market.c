// A program with its own probes, made by dtrace -h and -G. With "tell" it prints how often its probe was enabled at a sale.
//
// usage: market SALES [tell]
#include <stdio.h>
#include <stdlib.h>

#include "market.h"

static int announced;

static __attribute__((noinline)) void sell(int id, const char *item)
{
    if (SHOP_SALE_ENABLED())
        ++announced;
    SHOP_SALE(id, item);
    SHOP_MANY(1, 2, 3, 4, 5, 6, 7, -id);
}

// The call of the probe is the function's last action, so an optimising compiler makes it a jump.
__attribute__((noinline)) void close_day(int id)
{
    SHOP_CLOSE_DAY(id, 'd');
}

int main(int argc, char **argv)
{
    const int sales = argc > 1 ? atoi(argv[1]) : 1;
    SHOP_OPEN();
    for (int i = 1; i <= sales; ++i) {
        sell(i, i % 2 ? "tea" : "milk");
        if (SHOP_UNWANTED_ENABLED())
            SHOP_UNWANTED(i);
    }
    close_day(sales);
    if (argc > 2)
        printf("announced %d\n", announced);
    return 0;
}
