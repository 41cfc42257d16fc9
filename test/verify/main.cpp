// generate_d expressions|program SEED: writes a random D program. Equal seeds give equal programs.
#include <cstdlib>
#include <iostream>
#include <string>

#include "test/verify/generate.hpp"

int main(int argc, char** argv)
{
    std::string kind = argc == 3 ? argv[1] : "";
    std::uint64_t seed = argc == 3 ? std::strtoull(argv[2], nullptr, 10) : 0;
    if (kind == "expressions")
        std::cout << dt::verify::differential_program(seed, 12);
    else if (kind == "program")
        std::cout << dt::verify::any_program(seed);
    else {
        std::cerr << "usage: generate_d expressions|program SEED\n";
        return 2;
    }
    return 0;
}
