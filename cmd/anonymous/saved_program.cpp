// Writes, reads and removes the program saved by `dtrace -A`. Refuses files that users other than root can write.
#include "cmd/anonymous/saved_program.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include "cmd/common/option_table.hpp"

namespace dt::anonymous {
namespace {

constexpr char kFileOfWords[] = "/arguments";

/// Joins an option and its value into one word, so that a value with a leading "-" is not taken for an option.
std::string as_word(char letter, const std::string& value)
{
    return std::string("-") + letter + value;
}

std::string script_file(const std::string& directory, std::size_t index)
{
    return directory + "/" + std::to_string(index + 1) + ".d";
}

Error failed_with(const std::string& what, const std::string& path, int code)
{
    return {"failed to " + what + " " + path + ": " + std::strerror(code), code};
}

Result<void> write_privately(const std::string& path, const std::string& bytes)
{
    const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0)
        return failed_with("write", path, errno);
    std::size_t done = 0;
    int failed = 0;
    while (done < bytes.size() && failed == 0) {
        const ssize_t written = write(file, bytes.data() + done, bytes.size() - done);
        if (written > 0)
            done += static_cast<std::size_t>(written);
        else if (written < 0 && errno != EINTR)
            failed = errno;
    }
    if (failed == 0 && fsync(file) != 0)
        failed = errno;
    if (close(file) != 0 && failed == 0)
        failed = errno;
    return failed == 0 ? Result<void>() : failed_with("write", path, failed);
}

bool is_roots_alone(const std::string& path)
{
    struct stat status {};
    return stat(path.c_str(), &status) != 0 ||
           ((status.st_uid == 0 || status.st_uid == geteuid()) && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0);
}

} // namespace

AnonymousPaths anonymous_paths()
{
    const char* const elsewhere = secure_getenv("DTRACE_ANONYMOUS");
    if (elsewhere && *elsewhere)
        return {std::string(elsewhere) + "/program", std::string(elsewhere) + "/run", false};
    return {"/etc/dtrace/anonymous", "/run/dtrace-anonymous", true};
}

SavedProgram make_saved_program(const cmd::Arguments& arguments, std::vector<std::string> scripts,
                                const std::string& directory)
{
    SavedProgram saved;
    for (const cmd::Setting& setting : arguments.settings)
        if (!cmd::concerns_preprocessor(setting))
            saved.words.push_back(as_word(setting.letter, setting.value));
    if (arguments.verbose)
        saved.words.push_back("-v");
    std::size_t script = 0;
    for (const cmd::ProgramText& program : arguments.programs)
        saved.words.push_back(as_word(cmd::letter_of(program.kind), program.kind == SpecKind::Script
                                                                        ? script_file(directory, script++)
                                                                        : program.text));
    saved.words.push_back("--");
    saved.words.insert(saved.words.end(), arguments.operands.begin(), arguments.operands.end());
    saved.scripts = std::move(scripts);
    return saved;
}

Result<void> save_program(const SavedProgram& program, const std::string& directory)
{
    const std::string fresh = directory + ".new";
    std::error_code failed;
    std::filesystem::remove_all(fresh, failed);
    std::filesystem::create_directories(std::filesystem::path(directory).parent_path(), failed);
    if (mkdir(fresh.c_str(), 0700) != 0)
        return failed_with("make", fresh, errno);
    std::string words;
    for (const std::string& word : program.words)
        words.append(word).push_back('\0');
    Result<void> written = write_privately(fresh + kFileOfWords, words);
    for (std::size_t i = 0; i < program.scripts.size() && written; ++i)
        written = write_privately(script_file(fresh, i), program.scripts[i]);
    if (!written)
        return written;
    if (const Result<bool> removed = remove_saved_program(directory); !removed)
        return removed.error();
    if (rename(fresh.c_str(), directory.c_str()) != 0)
        return failed_with("write", directory, errno);
    return {};
}

Result<std::vector<std::string>> read_saved_words(const std::string& directory)
{
    const std::string path = directory + kFileOfWords;
    std::ifstream file(path, std::ios::binary);
    if (!file)
        return failed_with("open", path, errno);
    const std::string all((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    std::vector<std::string> words;
    for (std::size_t at = 0; at < all.size(); at += words.back().size() + 1)
        words.emplace_back(all.substr(at, all.find('\0', at) - at));
    if (!is_roots_alone(path) || !is_roots_alone(directory))
        return Error{"failed to open " + path +
                         ": users other than root may change it\n\tsave the program again with dtrace -A",
                     EPERM};
    return words;
}

Result<bool> remove_saved_program(const std::string& directory)
{
    std::error_code failed;
    const auto count = std::filesystem::remove_all(directory, failed);
    if (failed)
        return Error{"failed to remove " + directory + ": " + failed.message(), failed.value()};
    return count > 0;
}

} // namespace dt::anonymous
