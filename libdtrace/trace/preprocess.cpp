// Runs the preprocessor as a child process. Its input and output are unnamed files in memory, so no full pipe can block
// either side, and no file stays on disk.
#include "libdtrace/trace/preprocess.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "machine/machine.hpp"

namespace dt {
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

/// Executes the preprocessor in the child. Only async-signal-safe calls are allowed here.
[[noreturn]] void become(char* const* arguments, int input, int output, int report)
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
    // The kernel's headers use GNU C spellings of some keywords for every compiler.
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
    words.emplace_back("-"); // "-": cpp reads standard input and writes standard output
    std::vector<char*> arguments;
    for (std::string& word : words)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);

    const pid_t child = fork();
    if (child == 0)
        become(arguments.data(), input.fd(), output.fd(), report[1]);
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

} // namespace dt
