// Tests the folders of the tree, from the lowest layer up: a file includes only its own folder and lower ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

namespace fs = std::filesystem;

/// The folders, lowest first: each may include those before it, except for the pairs of kStrangers.
const std::vector<std::string> kRooms = {
    "base",
    "machine",
    "bpf-runtime",
    "embed",
    "dcompiler",
    "probes",
    "libdtrace/options",
    "libdtrace/elf",
    "libdtrace/usdt",
    "libdtrace/process",
    "libdtrace/world",
    "libdtrace/load",
    "libdtrace/format",
    "libdtrace/output",
    "libdtrace/consume",
    "libdtrace/postmortem",
    "libdtrace/trace",
    "libdtrace/host",
    "api",
    "cmd",
};
const std::vector<std::pair<std::string, std::string>> kStrangers = {
    {"bpf-runtime", "machine"},
    {"embed", "machine"},
    {"dcompiler", "embed"},
    {"probes", "embed"},
    // One file of libdtrace/process communicates with the engines of programs.
    {"libdtrace/options", "embed"},
    {"libdtrace/elf", "embed"},
    {"libdtrace/usdt", "embed"},
    {"libdtrace/world", "embed"},
    {"libdtrace/load", "embed"},
    {"libdtrace/format", "embed"},
    {"libdtrace/output", "embed"},
    {"libdtrace/consume", "embed"},
    {"libdtrace/postmortem", "embed"},
    {"libdtrace/trace", "embed"},
    {"libdtrace/host", "embed"},
    {"cmd", "embed"},
    {"cmd", "api"},
    {"api", "embed"},
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

/// Returns the folder of the file with this path in the tree, or "".
std::string room_of(std::string_view place)
{
    for (const std::string& room : kRooms)
        if (place.starts_with(room + "/"))
            return room;
    return {};
}

/// Returns the includes of `file` given by their path in the tree.
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

TEST(Rooms, NoIncludeRunsUpwards)
{
    std::size_t arrows = 0;
    for (const std::string& room : kRooms)
        for (const fs::directory_entry& file : fs::recursive_directory_iterator(fs::path(DTRACE_SOURCE) / room))
            for (const std::string& other : is_source(file) ? rooms_included(file) : std::vector<std::string>{}) {
                arrows += other != room ? 1 : 0;
                EXPECT_TRUE(may_include(room, other)) << file << " includes " << other;
            }
    EXPECT_GT(arrows, 300u); // otherwise the folder is wrong
}

/// Recognises registers, relocations, and the instruction decoder of a processor.
bool is_of_a_machine(std::string_view word)
{
    static const std::set<std::string_view> kWords = {"rax", "rbx", "rcx", "rdx", "rsi",   "rdi",  "rbp",     "rsp",
                                                      "rip", "eax", "ebx", "ecx", "edx",   "esi",  "edi",     "ebp",
                                                      "esp", "eip", "xmm", "x86", "amd64", "i386", "aarch64", "EM_386"};
    static constexpr std::string_view kBeginnings[] = {"x86_",    "EM_X86",  "R_X86", "R_AARCH64", "EM_AARCH64",
                                                       "cs_insn", "CS_ARCH", "__x86", "__aarch64", "__amd64"};
    return kWords.contains(word) ||
           std::any_of(std::begin(kBeginnings), std::end(kBeginnings),
                       [&](std::string_view beginning) { return word.starts_with(beginning); });
}

bool has_word_of_a_machine(std::string_view line)
{
    const auto is_letter = [](unsigned char c) { return std::isalnum(c) || c == '_'; };
    for (auto at = line.begin(); at != line.end();) {
        at = std::find_if(at, line.end(), is_letter);
        const auto end = std::find_if_not(at, line.end(), is_letter);
        if (at != end && is_of_a_machine(std::string_view(at, end)))
            return true;
        at = end;
    }
    return false;
}

/// The virtual machine's machine code compilers are a separate exception.
bool may_know_machines(const fs::path& file)
{
    const std::string name = file.filename();
    return file.parent_path().filename() == "vm" && (name.starts_with("jit") || name.starts_with("x86_encoder"));
}

TEST(Rooms, OnlyMachineNamesAMachine)
{
    std::size_t known = 0;
    for (const std::string& room : kRooms)
        for (const fs::directory_entry& file : fs::recursive_directory_iterator(fs::path(DTRACE_SOURCE) / room)) {
            if (!is_source(file) || may_know_machines(file))
                continue;
            std::ifstream stream(file.path());
            for (std::string line; std::getline(stream, line);)
                if (has_word_of_a_machine(line)) {
                    EXPECT_EQ(room, "machine") << file << ": " << line;
                    ++known;
                }
        }
    EXPECT_GT(known, 100u); // otherwise no word is recognised
}

} // namespace
