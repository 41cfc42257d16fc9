// A driver that runs fuzz targets without libFuzzer. It runs all seed files, then mutates them for a limited time.
// Equal seeds give equal mutations.
//
// usage: PROGRAM SECONDS FILE|FOLDER...: PROGRAM is a fuzz target linked with this driver; the files are its seeds.
//
// The driver works with any compiler that has the address and undefined-behavior sanitizers. It does not choose
// mutations by code coverage, but any crash ends the test and leaves the input in PROGRAM.crash.input, in the working
// directory.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

using Random = std::mt19937_64;

std::vector<std::string> read_seeds(int argc, char** argv)
{
    namespace fs = std::filesystem;
    std::vector<fs::path> paths;
    for (int i = 2; i < argc; i++) {
        if (!fs::is_directory(argv[i])) {
            paths.emplace_back(argv[i]);
            continue;
        }
        for (const auto& entry : fs::recursive_directory_iterator(argv[i]))
            if (entry.path().extension() == ".d" || entry.path().extension() == ".input")
                paths.push_back(entry.path());
    }
    std::sort(paths.begin(), paths.end()); // sorted, because the order of files in a directory is unspecified
    std::vector<std::string> seeds;
    for (const auto& path : paths) {
        std::ifstream stream(path, std::ios::binary);
        // The first byte of an input chooses options. D programs (.d) do not begin with such a byte, so the driver adds
        // it. Inputs that a fuzzer has saved contain it.
        const std::string prefix = path.extension() == ".d" ? "s" : "";
        seeds.push_back(prefix + std::string(std::istreambuf_iterator<char>(stream), {}));
    }
    return seeds;
}

// Applies a few random edits to an input: changes bytes, and removes, repeats or copies ranges.
std::string mutated(std::string text, const std::vector<std::string>& seeds, Random& random)
{
    auto below = [&](std::size_t n) { return n == 0 ? 0 : static_cast<std::size_t>(random() % n); };
    for (std::size_t edits = 1 + below(6); edits > 0; edits--) {
        std::size_t at = below(text.size()), length = 1 + below(16);
        const auto& other = seeds[below(seeds.size())];
        switch (below(6)) {
        case 0:
            if (!text.empty())
                text[at] = static_cast<char>(random());
            break;
        case 1:
            if (!text.empty())
                text[at] = "(){}[]/*\"'\\@$`;,:?!~%#0x-+<=>.\n"[below(31)];
            break;
        case 2:
            text.erase(at, length);
            break;
        case 3:
            text.insert(at, text.substr(at, length));
            break;
        default:
            text.insert(at, other.substr(below(other.size()), 1 + below(64)));
        }
    }
    return text;
}

void run(const std::string& input, const std::string& kept)
{
    std::ofstream(kept, std::ios::binary) << input;
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
}

} // namespace

int main(int argc, char** argv)
{
    auto seeds = argc > 2 ? read_seeds(argc, argv) : std::vector<std::string>();
    if (seeds.empty()) {
        std::cerr << "usage: " << argv[0] << " SECONDS FILE|FOLDER...\n";
        return 2;
    }
    // The name of the crash file contains the program's name, because several drivers may run at the same time.
    const std::string kept = std::filesystem::path(argv[0]).filename().string() + ".crash.input";
    long count = 0;
    for (const auto& seed : seeds) {
        run(seed, kept);
        count++;
    }
    auto until = std::chrono::steady_clock::now() + std::chrono::seconds(std::atoi(argv[1]));
    Random random(1);
    while (std::chrono::steady_clock::now() < until) {
        run(mutated(seeds[random() % seeds.size()], seeds, random), kept);
        count++;
    }
    std::filesystem::remove(kept);
    std::cout << seeds.size() << " seeds, " << count << " inputs\n";
    return 0;
}
