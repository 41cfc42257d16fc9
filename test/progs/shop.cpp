// shop N: calls shop::Cart::add(int) with 1 to N, greet() N times, and a template and a function local to this file once each.
#include <cstdlib>

namespace shop {

struct Cart {
    long total = 0;
    long add(int price);
};

__attribute__((noinline)) long Cart::add(int price)
{
    total += price;
    return total;
}

template <typename Kind> __attribute__((noinline)) Kind larger(Kind a, Kind b)
{
    asm volatile(""); // keeps the compiler from removing calls of the function, which has no other effect
    return a > b ? a : b;
}

} // namespace shop

__attribute__((noinline)) long greet(const char *who)
{
    asm volatile("");
    return who[0];
}

namespace {

__attribute__((noinline)) long leave(const char *who)
{
    asm volatile("");
    return who[1];
}

} // namespace

int main(int argc, char **argv)
{
    const int count = argc > 1 ? std::atoi(argv[1]) : 1;
    shop::Cart cart;
    long sum = 0;
    for (int i = 1; i <= count; ++i)
        sum += cart.add(i);
    for (int i = 1; i <= count; ++i)
        sum += greet("everybody");
    sum += shop::larger<long>(sum, 3);
    return sum + leave(argv[0]) == 0;
}
