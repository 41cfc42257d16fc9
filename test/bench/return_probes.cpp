// Counts how many returns of a function each kind of return probe sees. For a kretprobe, the kernel tracks only a
// limited number of simultaneous calls (maxactive) and misses the returns of the others. So the result depends on how
// many threads sleep in the function.
#include "test/bench/measuring.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "test/bench/stopwatch.hpp"
#include "test/bench/tool.hpp"

namespace dt::bench {

namespace {

constexpr int kSleepers = 64;
constexpr timespec kSleep{1, 0}; // duration of a sleep: so long that all threads sleep before the first one returns
constexpr const char* kSleepFunction = "__x64_sys_nanosleep";

/// Process whose threads all sleep at the same time when it gets a request.
class SleepingProcess {
public:
    SleepingProcess()
    {
        if (pipe2(ask_.data(), O_CLOEXEC) != 0 || pipe2(answer_.data(), O_CLOEXEC) != 0 || (pid_ = fork()) < 0)
            std::exit(1);
        if (pid_ == 0)
            serve();
    }
    ~SleepingProcess()
    {
        close(ask_[1]);
        waitpid(pid_, nullptr, 0);
    }
    SleepingProcess(const SleepingProcess&) = delete;
    SleepingProcess& operator=(const SleepingProcess&) = delete;

    pid_t pid() const { return pid_; }

    /// Blocks until all threads have slept.
    void sleep()
    {
        char byte = 0;
        if (write(ask_[1], &byte, 1) != 1 || read(answer_[0], &byte, 1) != 1)
            std::exit(1);
    }

private:
    [[noreturn]] void serve()
    {
        close(ask_[1]);
        for (char byte = 0; read(ask_[0], &byte, 1) == 1;) {
            {
                std::array<std::jthread, kSleepers> threads;
                for (std::jthread& thread : threads)
                    thread = std::jthread([] { syscall(SYS_nanosleep, &kSleep, nullptr); });
            }
            if (write(answer_[1], &byte, 1) != 1)
                break;
        }
        _exit(0);
    }

    std::array<int, 2> ask_{-1, -1}, answer_{-1, -1};
    pid_t pid_ = -1;
};

void print_returns(const std::string& way, long seen, const std::string& told)
{
    std::printf("| %s | %ld | %ld | %s |\n", way.c_str(), seen, kSleepers - seen, told.c_str());
    std::fflush(stdout);
}

void print_no_returns(const std::string& way, const std::string& problem)
{
    std::printf("| %s | cannot: %s | | |\n", way.c_str(), problem.substr(0, problem.find('\n')).c_str());
}

void print_returns_by_hand(const std::string& way, const std::string& program, SleepingProcess& sleepers)
{
    Stopwatch watch(sleepers.pid(), {program});
    if (!watch.attach(program))
        return print_no_returns(way, watch.problem());
    sleepers.sleep();
    const auto missed = watch.missed(program);
    const bool counted = program != "returns_fexit" && missed;
    print_returns(way, static_cast<long>(watch.take().times),
                  counted ? "`missed` of its link: " + std::to_string(*missed) : "nothing");
}

bool write_tracing(const std::string& file, const std::string& text)
{
    const int descriptor = open((tracing_folder() + file).c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
    const bool written = descriptor >= 0 && write(descriptor, text.data(), text.size()) == ssize_t(text.size());
    const int error = errno;
    if (descriptor >= 0)
        close(descriptor);
    errno = error;
    return written;
}

/// Counts returns with a kretprobe that is made in tracefs, because only there the limit of tracked calls can be set.
void print_returns_by_tracefs(int most, SleepingProcess& sleepers)
{
    const std::string way = "kretprobe in kprobe_events, maxactive " + std::to_string(most);
    const std::string name = "returns" + std::to_string(getpid()), event = "bench_measuring/" + name;
    if (!write_tracing("kprobe_events", "r" + std::to_string(most) + ":" + event + " " + kSleepFunction + "\n"))
        return print_no_returns(way, std::strerror(errno));
    write_tracing("events/" + event + "/enable", "1");
    sleepers.sleep();
    long seen = 0, missed = 0;
    std::ifstream profile(tracing_folder() + "kprobe_profile");
    for (std::string line, first; std::getline(profile, line);) {
        std::istringstream fields(line);
        if (fields >> first && first == name)
            fields >> seen >> missed;
    }
    write_tracing("events/" + event + "/enable", "0");
    write_tracing("kprobe_events", "-:" + event + "\n");
    print_returns(way, seen, "kprobe_profile: " + std::to_string(missed) + " missed");
}

/// Returns the first line that contains the word, with single blanks between words.
std::string line_with(const std::string& text, const std::string& word)
{
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
        if (line.find(word) != std::string::npos) {
            std::istringstream words(line);
            std::string found, each;
            while (words >> each)
                found += (found.empty() ? "" : " ") + each;
            return found;
        }
    return {};
}

void print_returns_by_dtrace(const std::string& provider, const std::string& build, SleepingProcess& sleepers)
{
    const std::string probe = provider + "::" + kSleepFunction + ":return";
    const std::string path = std::filesystem::temp_directory_path() / ("returns." + std::to_string(getpid()));
    Tool tracer({build + "/dtrace", "-x", "drops", "-qn",
                 "BEGIN { printf(\"ready\\n\"); } " + probe + " /pid == " + std::to_string(sleepers.pid()) +
                     "/ { @ = count(); } END { printa(\"seen %@d\\n\", @); }"},
                path);
    if (!wait_until_ready(tracer, path))
        return print_no_returns("dtrace, `" + probe + "`", tracer.interrupt().err);
    sleepers.sleep();
    const std::string said = tracer.interrupt().err;
    std::ifstream file(path);
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    const std::size_t seen = text.find("seen ");
    std::filesystem::remove(path);
    const std::string told = line_with(said, "missed");
    print_returns("dtrace, `" + probe + "`", seen == std::string::npos ? 0 : std::atol(text.c_str() + seen + 5),
                  told.empty() ? "nothing" : "`-x drops`: " + told);
}

} // namespace

void print_return_probes(const std::string& build)
{
    SleepingProcess sleepers;
    std::printf(
        "\n### Return probes: %d threads sleep at once in `%s`\n\n| return probe | returns seen | not seen | what "
        "is told of those |\n|---|--:|--:|---|\n",
        kSleepers, kSleepFunction);
    std::fflush(stdout);
    print_returns_by_tracefs(4, sleepers);
    print_returns_by_tracefs(kSleepers, sleepers);
    print_returns_by_hand("kretprobe of a perf event, as libbpf attaches it", "returns_kretprobe", sleepers);
    print_returns_by_hand("kretprobe.multi", "returns_multi", sleepers);
    print_returns_by_hand("fexit", "returns_fexit", sleepers);
    print_returns_by_dtrace("rawfbt", build, sleepers);
    print_returns_by_dtrace("fbt", build, sleepers);
}

} // namespace dt::bench
