// Tests the layers of folders: a file includes only files of its own folder and of lower folders.
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

/// The folders of the tree from the lowest layer to the highest. A folder may include all folders before it, except for
/// the pairs in kStrangers.
const std::vector<std::string> kRooms = {
    "base",
    "machine",
    "bpf-runtime",
    "bpf-runtime/accounting",
    "bpf-runtime/aggregations",
    "bpf-runtime/processes",
    "bpf-runtime/stacks",
    "bpf-runtime/strings",
    "engine/program",
    "engine/vm",
    "engine/embed",
    "dcompiler/interface",
    "dcompiler/syntax",
    "dcompiler/sema/program",
    "dcompiler/sema/checker",
    "dcompiler/ir",
    "dcompiler/ebpf",
    "dcompiler/object",
    "dcompiler/lower/core",
    "dcompiler/lower/counting",
    "dcompiler/lower/clause",
    "dcompiler/lower/builtins",
    "dcompiler/lower/programs",
    "dcompiler/opt",
    "dcompiler/driver",
    "probes",
    "probes/attach",
    "probes/kernel",
    "probes/user",
    "probes/stable",
    "libdtrace/options",
    "libdtrace/elf",
    "libdtrace/sandbox",
    "libdtrace/usdt",
    "libdtrace/mappings",
    "libdtrace/symbols",
    "libdtrace/interpreters",
    "libdtrace/stacks",
    "libdtrace/process",
    "libdtrace/types",
    "libdtrace/kernel",
    "libdtrace/format",
    "libdtrace/results",
    "libdtrace/output",
    "libdtrace/sinks",
    "libdtrace/metrics",
    "libdtrace/load",
    "libdtrace/buffers",
    "libdtrace/losses",
    "libdtrace/aggregations",
    "libdtrace/records",
    "libdtrace/fleet",
    "libdtrace/cost",
    "libdtrace/annotate",
    "libdtrace/consumer",
    "libdtrace/postmortem",
    "libdtrace/session",
    "libdtrace/attach",
    "libdtrace/trace",
    "libdtrace/loop",
    "libdtrace/estimate",
    "api",
    "cmd/common",
    "cmd/anonymous",
    "cmd/doctor",
    "cmd/hosts",
    "cmd/agent",
    "cmd/shell",
    "cmd/lsp",
    "cmd/service",
    "cmd/modes",
    "cmd",
};
const std::vector<std::pair<std::string, std::string>> kStrangers = {
    {"bpf-runtime", "machine"},
    {"engine", "machine"},
    {"dcompiler", "engine"},
    {"probes", "engine"},
    // libdtrace/process is not in this list, because one of its files communicates with the engine library in traced
    // programs.
    {"libdtrace/aggregations", "engine"},
    {"libdtrace/annotate", "engine"},
    {"libdtrace/attach", "engine"},
    {"libdtrace/buffers", "engine"},
    {"libdtrace/consumer", "engine"},
    {"libdtrace/cost", "engine"},
    {"libdtrace/elf", "engine"},
    {"libdtrace/estimate", "engine"},
    {"libdtrace/fleet", "engine"},
    {"libdtrace/format", "engine"},
    {"libdtrace/kernel", "engine"},
    {"libdtrace/load", "engine"},
    {"libdtrace/loop", "engine"},
    {"libdtrace/losses", "engine"},
    {"libdtrace/mappings", "engine"},
    {"libdtrace/metrics", "engine"},
    {"libdtrace/options", "engine"},
    {"libdtrace/output", "engine"},
    {"libdtrace/postmortem", "engine"},
    {"libdtrace/records", "engine"},
    {"libdtrace/results", "engine"},
    {"libdtrace/sandbox", "engine"},
    {"libdtrace/session", "engine"},
    {"libdtrace/sinks", "engine"},
    {"libdtrace/stacks", "engine"},
    {"libdtrace/symbols", "engine"},
    {"libdtrace/trace", "engine"},
    {"libdtrace/types", "engine"},
    {"libdtrace/usdt", "engine"},
    {"cmd", "engine"},
    {"cmd", "api"},
    {"api", "engine"},
    {"libdtrace/output", "libdtrace/load"},
};

bool may_include(const std::string& room, const std::string& other)
{
    const auto place = [](const std::string& name) { return std::find(kRooms.begin(), kRooms.end(), name); };
    const auto is_stranger = [&](const auto& pair) {
        return room.starts_with(pair.first) && other.starts_with(pair.second);
    };
    return place(other) <= place(room) && std::none_of(kStrangers.begin(), kStrangers.end(), is_stranger);
}

bool is_source(const fs::path& file)
{
    const std::string type = file.extension();
    return type == ".cpp" || type == ".hpp" || type == ".c" || type == ".h" || type == ".def";
}

/// Returns the innermost folder of kRooms that contains `file`, or "" if there is none.
std::string room_of(std::string_view place)
{
    std::string innermost;
    for (const std::string& room : kRooms)
        if (place.starts_with(room + "/") && room.size() > innermost.size())
            innermost = room;
    return innermost;
}

/// Returns whether `file` belongs directly to the folder `room`, and not to a folder of kRooms inside `room`.
bool is_directly_in(const fs::path& file, const std::string& room)
{
    return room_of(file.lexically_relative(DTRACE_SOURCE).string()) == room;
}

/// Returns the folders of kRooms whose files `file` includes by their path in the tree.
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

TEST(Folders, NoFileIncludesAHigherFolder)
{
    std::size_t arrows = 0;
    for (const std::string& room : kRooms)
        for (const fs::directory_entry& file : fs::recursive_directory_iterator(fs::path(DTRACE_SOURCE) / room))
            for (const std::string& other :
                 is_source(file) && is_directly_in(file, room) ? rooms_included(file) : std::vector<std::string>{}) {
                arrows += other != room ? 1 : 0;
                EXPECT_TRUE(may_include(room, other)) << file << " includes " << other;
            }
    EXPECT_GT(arrows, 300u); // with fewer includes, the test has looked in a wrong folder
}

/// Returns whether a word belongs to one processor architecture: a register, a relocation, or an instruction decoder.
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

/// Returns whether a file may contain words of one processor architecture, because it compiles BPF to machine code.
bool may_know_machines(const fs::path& file)
{
    const std::string name = file.filename();
    return file.parent_path().filename() == "vm" && (name.starts_with("jit") || name.starts_with("x86_encoder"));
}

TEST(Folders, OnlyFoldersForMachinesContainNamesOfProcessors)
{
    std::size_t known = 0;
    for (const std::string& room : kRooms)
        for (const fs::directory_entry& file : fs::recursive_directory_iterator(fs::path(DTRACE_SOURCE) / room)) {
            if (!is_source(file) || !is_directly_in(file, room) || may_know_machines(file))
                continue;
            std::ifstream stream(file.path());
            for (std::string line; std::getline(stream, line);)
                if (has_word_of_a_machine(line)) {
                    EXPECT_EQ(room, "machine") << file << ": " << line;
                    ++known;
                }
        }
    EXPECT_GT(known, 100u); // with fewer words, the test has failed to recognize them
}

} // namespace
