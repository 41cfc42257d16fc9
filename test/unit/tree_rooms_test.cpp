// The rooms of the tree, from the ground floor up: a file includes its own room and those below it.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace fs = std::filesystem;

/// A room, and those that it may include. What stands here is the order; a new arrow is a new word in a row.
const std::map<std::string, std::vector<std::string>> kBelow = {
    {"base", {}},
    {"machine", {"base"}},
    {"bpf-runtime", {"base"}},
    {"engine", {"base", "bpf-runtime"}},
    {"dcompiler", {"base", "machine", "bpf-runtime"}},
    {"probes", {"base", "machine", "bpf-runtime", "dcompiler"}},
    {"libdtrace", {"base", "machine", "bpf-runtime", "dcompiler", "probes"}},
    {"cmd", {"base", "machine", "bpf-runtime", "dcompiler", "probes", "libdtrace"}},
};

bool is_source(const fs::path& file)
{
    const std::string type = file.extension();
    return type == ".cpp" || type == ".hpp" || type == ".c" || type == ".h" || type == ".def";
}

/// The room of each file that `file` includes in quotes by its place in the tree; names without a folder are of its own.
std::vector<std::string> rooms_included(const fs::path& file)
{
    constexpr std::string_view kInclude = "#include \"";
    std::vector<std::string> rooms;
    std::ifstream stream(file);
    for (std::string line; std::getline(stream, line);)
        if (const std::size_t slash = line.find('/'); line.starts_with(kInclude) && slash != std::string::npos)
            rooms.push_back(line.substr(kInclude.size(), slash - kInclude.size()));
    return rooms;
}

TEST(Rooms, NoArrowRunsUp)
{
    std::size_t arrows = 0;
    for (const auto& [room, below] : kBelow)
        for (const fs::directory_entry& file : fs::recursive_directory_iterator(fs::path(DTRACE_SOURCE) / room))
            for (const std::string& other : is_source(file) ? rooms_included(file) : std::vector<std::string>{}) {
                const bool is_room = kBelow.contains(other);
                arrows += is_room && other != room ? 1 : 0;
                EXPECT_TRUE(!is_room || other == room || std::find(below.begin(), below.end(), other) != below.end()) << file << " includes " << other;
            }
    EXPECT_GT(arrows, 100u); // else this looks at the wrong folder
}

} // namespace
