// values_cxx slices|pointers|templates: calls functions of C++ with values of library types, and prints the values. Built with debug
// information.
#include <array>
#include <cstdio>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Keeps the compiler from creating a variant of the function with other parameters.
#ifdef __clang__
#define KEPT [[gnu::noinline]]
#else
#define KEPT [[gnu::noipa]]
#endif

namespace {

struct Point {
    int x, y;
};

KEPT void slices(const std::vector<int> &numbers, std::vector<std::string> names, std::span<const long> part, const std::array<short, 3> &fixed)
{
    std::printf("%d %s %ld %d\n", numbers[1], names[1].c_str(), part[1], fixed[2]);
}

KEPT void points(const std::vector<Point> *points, const std::vector<char> &bytes, std::size_t place)
{
    if (place < points->size())
        std::printf("%d %d %.*s\n", (*points)[place].x, (*points)[place].y, static_cast<int>(bytes.size()), bytes.data());
    else
        std::puts("out of range");
}

void call_slices()
{
    const std::vector<int> numbers{-1, -2, -3};
    const std::vector<Point> places{{1, -1}, {2, -2}};
    const std::vector<char> bytes{'a', 'b', 'c'};
    const long row[] = {1, 1L << 40, 3};
    slices(numbers, {"red", "green"}, std::span(row).subspan(1), {7, 8, 9});
    for (std::size_t place = 0; place < 3; ++place)
        points(&places, bytes, place);
}

struct Account {
    int number;
    std::string owner;
};

KEPT void pointers(std::unique_ptr<Account> single, const std::shared_ptr<Account> &shared, std::unique_ptr<int, void (*)(int *)> &released)
{
    std::printf("%d %s %d %s %ld %s\n", single->number, single->owner.c_str(), shared->number, shared->owner.c_str(), shared.use_count(),
                released ? "set" : "null");
}

void call_pointers()
{
    std::unique_ptr<int, void (*)(int *)> nothing(nullptr, [](int *) {});
    const auto shared = std::make_shared<Account>(Account{2, "shared"});
    pointers(std::make_unique<Account>(Account{1, "single"}), shared, nothing);
}

template <typename Kind> struct Doubler {
    KEPT Kind twice(Kind value) const { return value + value; }
};

} // namespace

int main(int, char **arguments)
{
    if (std::strcmp(arguments[1], "slices") == 0)
        call_slices();
    else if (std::strcmp(arguments[1], "pointers") == 0)
        call_pointers();
    else
        return Doubler<int>().twice(2) + Doubler<long>().twice(3) == 12345;
}
