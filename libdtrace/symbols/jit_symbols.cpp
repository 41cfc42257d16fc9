// Reads the file in which a process lists its JIT-compiled functions. The process may write anything into the file at
// any time, so lines that are incomplete or invalid are ignored.
#include "libdtrace/symbols/jit_symbols.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <utility>

#include "base/packed_bytes.hpp"
#include "base/proc_file.hpp"
#include "libdtrace/elf/elf_file.hpp"
#include "libdtrace/sandbox/untrusted_files.hpp"

namespace dt {
namespace {

constexpr std::size_t kMaxMapBytes = 64 << 20;
constexpr std::size_t kMaxFunctions = 1 << 20; // maximum number of functions, which take 64 MB without their names
constexpr std::size_t kMinBytesOfFunction = 3;

/// Removes a hexadecimal number and the following blank from the line. Returns false if the line does not begin with
/// them.
bool take_number(std::string_view& line, uint64_t& value)
{
    if (line.starts_with("0x"))
        line.remove_prefix(2);
    const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), value, 16);
    if (error != std::errc{} || end == line.data() + line.size() || *end != ' ')
        return false;
    line.remove_prefix(static_cast<std::size_t>(end - line.data()) + 1);
    return true;
}

/// Returns the process's id in the pid namespace in which it runs. The name of its map file contains this id.
std::string own_id(const std::string& process)
{
    std::ifstream status(process + "/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with("NSpid:"))
            return line.substr(line.find_last_of(" \t") + 1);
    return {};
}

std::string read_trusted(const std::string& path, uid_t owner)
{
    std::string text;
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
    if (file < 0)
        return text;
    struct stat found {};
    if (fstat(file, &found) == 0 && S_ISREG(found.st_mode) && (found.st_uid == owner || found.st_uid == 0)) {
        text.resize(std::min<std::size_t>(static_cast<std::size_t>(found.st_size), kMaxMapBytes));
        std::size_t used = 0;
        for (ssize_t got = 1; got > 0 && used<text.size(); used += got> 0 ? static_cast<std::size_t>(got) : 0)
            got = ::read(file, text.data() + used, text.size() - used);
        text.resize(used);
    }
    ::close(file);
    return text;
}

std::string serialize_functions(const std::vector<ElfSymbols::Symbol>& functions)
{
    PackedWriter answer;
    answer.number(functions.size());
    uint64_t last = 0;
    for (const ElfSymbols::Symbol& function : functions) {
        answer.number(function.start - std::exchange(last, function.start));
        answer.number(function.size);
        answer.text(function.name);
    }
    return answer.take();
}

/// Decodes the sandboxed reader's answer. Returns no functions if the addresses do not increase.
std::vector<ElfSymbols::Symbol> deserialize_functions(std::string_view serialized)
{
    PackedReader answer(serialized);
    std::vector<ElfSymbols::Symbol> functions(answer.count(kMinBytesOfFunction, kMaxFunctions));
    uint64_t last = 0;
    for (ElfSymbols::Symbol& function : functions) {
        function.start = last + answer.number();
        function.size = answer.number();
        function.name = answer.text().substr(0, kLongestName);
        if (&function != functions.data() && function.start <= last)
            return {};
        last = function.start;
    }
    return answer.good() ? functions : std::vector<ElfSymbols::Symbol>();
}

/// Opens the file and reads its bytes in the tracer, and sends the bytes to the sandboxed reader, which parses them.
std::vector<ElfSymbols::Symbol> functions_of(UntrustedFiles& untrusted, const std::string& path, uid_t owner)
{
    const std::string text = read_trusted(path, owner);
    if (text.empty() || untrusted.by() == ReadBy::Tracer)
        return parse_jit_map(text);
    const ReadFunction parse = [](ReaderState&, std::string_view asked) {
        return serialize_functions(parse_jit_map(asked));
    };
    const Result<std::string> answer = untrusted.read(path, parse, text);
    return answer ? deserialize_functions(answer.value()) : std::vector<ElfSymbols::Symbol>();
}

} // namespace

std::vector<ElfSymbols::Symbol> parse_jit_map(std::string_view text)
{
    std::vector<ElfSymbols::Symbol> symbols;
    while (!text.empty() && symbols.size() < kMaxFunctions) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        ElfSymbols::Symbol symbol;
        if (!take_number(line, symbol.start) || !take_number(line, symbol.size) || line.empty())
            continue;
        symbol.name = line.substr(0, kLongestName);
        symbols.push_back(std::move(symbol));
    }
    std::stable_sort(symbols.begin(), symbols.end(), [](const auto& a, const auto& b) { return a.start < b.start; });
    std::vector<ElfSymbols::Symbol> kept;
    for (ElfSymbols::Symbol& symbol : symbols) {
        if (!kept.empty() && kept.back().start == symbol.start)
            kept.pop_back();
        kept.push_back(std::move(symbol));
    }
    return kept;
}

std::vector<ElfSymbols::Symbol> read_jit_map(const std::string& proc, int64_t pid, uint32_t& owner,
                                             UntrustedFiles& untrusted)
{
    const std::string number = std::to_string(pid), process = process_folder(proc, pid);
    struct stat found {};
    const bool is_known = stat(process.c_str(), &found) == 0;
    std::vector<ElfSymbols::Symbol> functions;
    if (is_known) {
        owner = found.st_uid;
        const std::string id = own_id(proc + "/" + number);
        functions = functions_of(untrusted, process + "/root/tmp/perf-" + (id.empty() ? number : id) + ".map", owner);
    }
    // A zombie process still exists in /proc, but without its root directory.
    if (!is_known || (functions.empty() && access((process + "/root").c_str(), F_OK) != 0))
        functions = functions_of(untrusted, "/tmp/perf-" + number + ".map", owner);
    return functions;
}

const ElfSymbols::Symbol* find_jit(const std::vector<ElfSymbols::Symbol>& symbols, uint64_t address)
{
    const auto after =
        std::upper_bound(symbols.begin(), symbols.end(), address,
                         [](uint64_t value, const ElfSymbols::Symbol& symbol) { return value < symbol.start; });
    if (after == symbols.begin())
        return nullptr;
    const ElfSymbols::Symbol& symbol = *(after - 1);
    return address - symbol.start < symbol.size ? &symbol : nullptr;
}

} // namespace dt
