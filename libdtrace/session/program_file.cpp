// Reads programs, runs the C preprocessor, defines macro variables of the process, and reads and writes bundles.
#include "libdtrace/session/program_file.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <optional>
#include <utility>

#include "base/text.hpp"
#include "dcompiler/object/packed.hpp"
#include "machine/machine.hpp"

namespace dt {
namespace {

class Closed {
public:
    explicit Closed(int descriptor) : descriptor_(descriptor) {}
    ~Closed() { close(descriptor_); }
    Closed(const Closed&) = delete;
    Closed& operator=(const Closed&) = delete;

private:
    int descriptor_;
};

} // namespace

Result<std::string> read_program_file(const std::string& path)
{
    constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return Error{std::strerror(errno), errno};
    const Closed closed(file);
    std::string text;
    char bytes[65536];
    for (ssize_t got; (got = read(file, bytes, sizeof bytes)) != 0;) {
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return Error{std::strerror(errno), errno};
        const std::string_view part(bytes, static_cast<std::size_t>(got));
        if (part.find('\0') != part.npos)
            return Error{"not a D program (binary file)", ENOEXEC};
        if (text.size() + part.size() > kLargestProgram)
            return Error{"not a D program (larger than 64 MiB)", EFBIG};
        text += part;
    }
    if (text.starts_with(kByteOrderMark))
        text.erase(0, kByteOrderMark.size());
    return text;
}

// Runs the preprocessor as a child process. Its input and output are memory files without names, so neither side can
// block on a full pipe, and no file remains on disk.

namespace {

/// A descriptor that is closed automatically.
class File {
public:
    explicit File(int fd) : fd_(fd) {}
    ~File()
    {
        if (fd_ >= 0)
            close(fd_);
    }
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    int fd() const { return fd_; }

private:
    int fd_;
};

bool write_all(int fd, std::string_view text)
{
    while (!text.empty()) {
        const ssize_t written = write(fd, text.data(), text.size());
        if (written < 0 && errno != EINTR)
            return false;
        text.remove_prefix(written > 0 ? static_cast<std::size_t>(written) : 0);
    }
    return lseek(fd, 0, SEEK_SET) == 0;
}

std::string read_all(int fd)
{
    std::string text;
    char buffer[65536];
    lseek(fd, 0, SEEK_SET);
    for (ssize_t got; (got = read(fd, buffer, sizeof buffer)) != 0;) {
        if (got > 0)
            text.append(buffer, static_cast<std::size_t>(got));
        else if (errno != EINTR)
            break;
    }
    return text;
}

/// Executes the preprocessor in the child, where only async-signal-safe functions may be called.
[[noreturn]] void become_preprocessor(char* const* arguments, int input, int output, int report)
{
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    if (dup2(input, STDIN_FILENO) >= 0 && dup2(output, STDOUT_FILENO) >= 0)
        execvp(arguments[0], arguments);
    const int error = errno;
    [[maybe_unused]] const ssize_t sent = write(report, &error, sizeof error);
    _exit(127);
}

} // namespace

std::vector<std::string> preprocessor_arguments(const Options& options)
{
    std::vector<std::string> arguments{"-D__linux", "-D__unix", "-D__SVR4", "-D__SUNW_D=1", "-U__GNUC__"};
    // Defines the GNU C spellings of some keywords, which the kernel's headers use.
    for (const char* spelling :
         {"__signed__=signed", "__signed=signed", "__const=const", "__const__=const", "__volatile=volatile",
          "__volatile__=volatile", "__restrict=restrict", "__restrict__=restrict", "__inline=inline",
          "__inline__=inline", "__extension__=", "__attribute__(x)=", "__asm__(x)="})
        arguments.push_back(std::string("-D") + spelling);
    const bool wide = options.compile().data_model == DataModel::Lp64;
    arguments.emplace_back(wide ? "-D__SUNW_D_64" : "-D__SUNW_D_32");
    utsname system{};
    if (uname(&system) == 0)
        arguments.push_back(std::string("-D__") + system.sysname);
    arguments.push_back("-D" + std::string(wide ? machine::native().macro : machine::native().narrow_macro));
    const struct {
        const char* option;
        const std::vector<std::string>& values;
    } kLists[] = {{"-D", options.run().define}, {"-U", options.run().undef}, {"-I", options.run().incdir}};
    for (const auto& list : kLists)
        for (const std::string& value : list.values)
            arguments.push_back(list.option + value);
    if (options.run().cpphdrs)
        arguments.emplace_back("-H");
    arguments.insert(arguments.end(), options.run().cppargs.begin(), options.run().cppargs.end());
    char version[40];
    std::snprintf(version, sizeof version, "-D__SUNW_D_VERSION=0x%08x", options.compile().version);
    arguments.emplace_back(version);
    arguments.emplace_back(options.run().stdc == 's' ? "-traditional-cpp" : "-std=c99");
    return arguments;
}

Result<std::string> preprocess(std::string text, const Options& options)
{
    if (text.starts_with("#!"))
        text.erase(0, std::min(text.find('\n'), text.size()));
    const File input(memfd_create("d-source", MFD_CLOEXEC)), output(memfd_create("d-preprocessed", MFD_CLOEXEC));
    int report[2];
    if (input.fd() < 0 || output.fd() < 0 || !write_all(input.fd(), text) || pipe2(report, O_CLOEXEC) != 0)
        return Error{"Failed to fork preprocessor", errno};
    const File report_in(report[0]);

    std::vector<std::string> words = preprocessor_arguments(options);
    words.insert(words.begin(), options.run().cpppath);
    words.emplace_back("-"); // the argument "-" means that cpp reads standard input and writes standard output
    std::vector<char*> arguments;
    for (std::string& word : words)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);

    const pid_t child = fork();
    if (child == 0)
        become_preprocessor(arguments.data(), input.fd(), output.fd(), report[1]);
    close(report[1]);
    if (child < 0)
        return Error{"Failed to fork preprocessor", EAGAIN};
    int error = 0, status = 0;
    ssize_t got;
    while ((got = read(report_in.fd(), &error, sizeof error)) < 0 && errno == EINTR)
        continue;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    if (got == static_cast<ssize_t>(sizeof error))
        return Error{error == ENOENT ? "Preprocessor not found" : "Failed to exec preprocessor", error};
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return Error{"Preprocessor failed to process input program", EINVAL};
    return read_all(output.fd());
}

// A part of a bundle begins with the line "dtrace-bundle VERSION KIND SIZE STORED CRC32[ FACTS]". SIZE is the original
// size, STORED the size compressed by zlib, and CRC32 the checksum of the compressed bytes.

namespace {

constexpr std::string_view kBundleMark = "dtrace-bundle ";
constexpr uint64_t kBundleVersion = 1;
constexpr uint64_t kMaxUnpackedBundle = 64 << 20;
constexpr std::string_view kTypedPart = "program", kVariantPart = "variant";

uint32_t bundle_checksum(std::string_view bytes)
{
    return static_cast<uint32_t>(
        crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size())));
}

std::string part(std::string_view kind, std::string_view bytes, std::string_view facts)
{
    std::string stored(compressBound(bytes.size()), '\0');
    uLongf size = stored.size();
    compress2(reinterpret_cast<Bytef*>(stored.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
              bytes.size(), Z_BEST_COMPRESSION);
    stored.resize(size);
    char crc[16];
    std::snprintf(crc, sizeof crc, "%08x", bundle_checksum(stored));
    return std::string(kBundleMark) + std::to_string(kBundleVersion) + " " + std::string(kind) + " " +
           std::to_string(bytes.size()) + " " + std::to_string(stored.size()) + " " + crc +
           (facts.empty() ? "" : " " + std::string(facts)) + "\n" + stored;
}

template <typename A> void typed_fields(A& archive, Bundle::Typed& it)
{
    archive::all(archive, it.words);
    uint64_t count = it.scripts.size();
    archive::all(archive, count);
    for (uint64_t i = 0; i < count && archive.good(); ++i) {
        if constexpr (A::kReads)
            it.scripts.emplace_back();
        archive::all(archive, it.scripts[i].first, it.scripts[i].second);
    }
}

/// Removes the next word and the following space from the line, and returns the word.
std::string_view next_word(std::string_view& line)
{
    const std::size_t end = std::min(line.find(' '), line.size());
    const std::string_view word = line.substr(0, end);
    line.remove_prefix(std::min(end + 1, line.size()));
    return word;
}

std::optional<uint64_t> number_in(std::string_view word, int base = 10)
{
    uint64_t number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number, base);
    return error == std::errc() && end == word.data() + word.size() ? std::optional(number) : std::nullopt;
}

class BundleReader {
public:
    explicit BundleReader(std::string_view bytes) : rest_(bytes) {}

    Result<Bundle> read()
    {
        if (!rest_.starts_with(kBundleMark))
            return Error{"is not a bundle: create one with dtrace --bundle"};
        while (!rest_.empty())
            if (Result<void> taken = take_part(); !taken)
                return taken.error();
        if (!has_typed_)
            return Error{"is damaged: it does not contain the text of a program"};
        return std::move(bundle_);
    }

private:
    Error damaged(const char* what) const { return {"is damaged: part " + std::to_string(parts_) + " " + what}; }

    Result<void> take_part()
    {
        ++parts_;
        const std::size_t end = std::min(rest_.find('\n'), rest_.size());
        std::string_view line = rest_.substr(0, end);
        rest_.remove_prefix(std::min(end + 1, rest_.size()));
        if (!line.starts_with(kBundleMark))
            return damaged("has no valid header");
        line.remove_prefix(kBundleMark.size());
        const auto version = number_in(next_word(line));
        if (version && *version > kBundleVersion)
            return Error{"was made by a newer dtrace: its format is version " + std::to_string(*version) +
                         ", and this dtrace reads version 1"};
        const std::string_view kind = next_word(line);
        const auto size = number_in(next_word(line)), stored = number_in(next_word(line)),
                   crc = number_in(next_word(line), 16);
        if (version != kBundleVersion || !size || !stored || !crc || *size > kMaxUnpackedBundle)
            return damaged("has no valid header");
        if (*stored > rest_.size())
            return Error{"is truncated: part " + std::to_string(parts_) + " has " + std::to_string(rest_.size()) +
                         " bytes of " + std::to_string(*stored)};
        const std::string_view bytes = rest_.substr(0, *stored);
        rest_.remove_prefix(*stored);
        std::string unpacked(*size, '\0');
        uLongf made = *size;
        if (bundle_checksum(bytes) != *crc ||
            uncompress(reinterpret_cast<Bytef*>(unpacked.data()), &made, reinterpret_cast<const Bytef*>(bytes.data()),
                       bytes.size()) != Z_OK ||
            made != *size)
            return damaged("is corrupt");
        if (kind == kTypedPart)
            return take_typed(unpacked);
        if (kind == kVariantPart)
            bundle_.variants.push_back({std::string(line), std::move(unpacked)});
        return {}; // parts of an unknown kind are ignored
    }

    Result<void> take_typed(std::string_view unpacked)
    {
        Bundle::Typed typed;
        archive::Reader reader(unpacked);
        typed_fields(reader, typed);
        if (!reader.good() || !reader.at_end())
            return damaged("is corrupt");
        if (has_typed_ && !(typed == bundle_.typed))
            return Error{"contains two different programs: only bundles of the same program can be concatenated"};
        bundle_.typed = std::move(typed);
        has_typed_ = true;
        return {};
    }

    std::string_view rest_;
    unsigned parts_ = 0;
    bool has_typed_ = false;
    Bundle bundle_;
};

} // namespace

std::string bundle_bytes(const Bundle& bundle)
{
    archive::Writer typed;
    // casting const away is safe, because the function only reads the members
    typed_fields(typed, const_cast<Bundle::Typed&>(bundle.typed));
    std::string bytes = part(kTypedPart, typed.bytes(), {});
    for (const Bundle::Variant& each : bundle.variants)
        bytes += part(kVariantPart, each.packed, each.facts);
    return bytes;
}

Result<Bundle> read_bundle(std::string_view bytes)
{
    if (bytes.starts_with(kBundleMark))
        return BundleReader(bytes).read();
    std::string letters;
    for (const char each : bytes)
        if (each != '\n' && each != '\r' && each != '=')
            letters += each;
    const std::optional<std::string> meant = from_base64(letters);
    return BundleReader(meant ? std::string_view(*meant) : bytes).read();
}

} // namespace dt
