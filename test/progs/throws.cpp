// Throws, catches and rethrows exceptions.
//
// usage: throws TIMES
#include <cstdlib>
#include <stdexcept>

namespace {

void fail()
{
    throw std::runtime_error("as planned");
}

void pass_on()
{
    try {
        fail();
    } catch (const std::exception &) {
        throw;
    }
}

} // namespace

int main(int argc, char **argv)
{
    const int times = argc > 1 ? std::atoi(argv[1]) : 1;
    int caught = 0;
    for (int i = 0; i < times; ++i)
        try {
            pass_on();
        } catch (const std::runtime_error &) {
            ++caught;
        }
    return caught == times ? 0 : 1;
}
