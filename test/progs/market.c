// A program with USDT probes of its own, built with dtrace -h and -G. With "tell" it prints at how many sales its probe
// was enabled.
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

// The probe call is the last action of the function, so an optimizing compiler makes it a jump. dtrace -G must handle
// this.
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
