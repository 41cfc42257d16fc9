// The rooms of the tree, from the ground floor up: a file includes its own room and those below it.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

namespace fs = std::filesystem;

/// The rooms, from below: each may include those that stand before it, but for the pairs of kStrangers.
const std::vector<std::string> kRooms = {
    "base",
    "machine",
    "bpf-runtime",
    "engine",
    "dcompiler",
    "probes",
    "libdtrace/elf",
    "libdtrace/usdt",
    "libdtrace/process",
    "libdtrace/world",
    "libdtrace/load",
    "libdtrace/format",
    "libdtrace/output",
    "libdtrace/consume",
    "libdtrace/session",
    "cmd",
};
const std::vector<std::pair<std::string, std::string>> kStrangers = {
    {"bpf-runtime", "machine"},
    {"engine", "machine"},
    {"dcompiler", "engine"},
    {"probes", "engine"},
    {"libdtrace", "engine"},
    {"cmd", "engine"},
    {"libdtrace/usdt", "libdtrace/process"},
    {"libdtrace/output", "libdtrace/load"},
};

bool may_include(const std::string& room, const std::string& other)
{
    const auto place = [](const std::string& name) { return std::find(kRooms.begin(), kRooms.end(), name); };
    const auto is_stranger = [&](const auto& pair) { return room.starts_with(pair.first) && other == pair.second; };
    return place(other) <= place(room) && std::none_of(kStrangers.begin(), kStrangers.end(), is_stranger);
}

bool is_source(const fs::path& file)
{
    const std::string type = file.extension();
    return type == ".cpp" || type == ".hpp" || type == ".c" || type == ".h" || type == ".def";
}

/// The room that a file with this place in the tree is in; empty: none.
std::string room_of(std::string_view place)
{
    for (const std::string& room : kRooms)
        if (place.starts_with(room + "/"))
            return room;
    return {};
}

/// Those of the files that `file` includes by their place in the tree.
std::vector<std::string> rooms_included(const fs::path& file)
{
    constexpr std::string_view kInclude = "#include \"";
    std::vector<std::string> rooms;
    std::ifstream stream(file);
    for (std::string line; std::getline(stream, line);)
        if (line.starts_with(kInclude))
            if (const std::string room = room_of(std::string_view(line).substr(kInclude.size())); !room.empty())
                rooms.push_back(room);
    return rooms;
}

TEST(Rooms, NoArrowRunsUp)
{
    std::size_t arrows = 0;
    for (const std::string& room : kRooms)
        for (const fs::directory_entry& file : fs::recursive_directory_iterator(fs::path(DTRACE_SOURCE) / room))
            for (const std::string& other : is_source(file) ? rooms_included(file) : std::vector<std::string>{}) {
                arrows += other != room ? 1 : 0;
                EXPECT_TRUE(may_include(room, other)) << file << " includes " << other;
            }
    EXPECT_GT(arrows, 300u); // else this looks at the wrong folder
}

} // namespace
