// Starts other programs and measures their resource use.
#include "test/bench/tool.hpp"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string_view>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test/bench/loop.hpp"

namespace dt::bench {

namespace {

// Seconds that a tool may take to end after an interrupt.
constexpr int kPatience = 20;

// Milliseconds that a tool may take to start.
constexpr int kMaxReady = 30'000;

std::string temporary_file()
{
    char name[] = "/tmp/dtrace-bench.XXXXXX";
    int fd = mkstemp(name);
    if (fd >= 0)
        close(fd);
    return name;
}

std::string take_file(const std::string& path)
{
    std::ifstream stream(path);
    std::string text(std::istreambuf_iterator<char>(stream), {});
    std::filesystem::remove(path);
    return text;
}

void redirect(const std::string& path, int to)
{
    int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (fd < 0 || dup2(fd, to) < 0)
        _exit(127);
}

} // namespace

// Reads /proc, because wait4() would also count child processes, such as the measured loop that dtrace -c started.
ProcessTimes times_of(pid_t pid)
{
    std::ifstream in("/proc/" + std::to_string(pid) + "/stat");
    std::string text((std::istreambuf_iterator<char>(in)), {});
    // Reads the fields of /proc/PID/stat after the last parenthesis, because the name in parentheses may contain any
    // characters.
    std::istringstream fields(text.substr(std::min(text.size(), text.rfind(')') + 1)));
    std::string skipped;
    for (int i = 3; i < 14; i++)
        fields >> skipped;
    double user = 0, system = 0, of_children = 0, kernels_of_children = 0;
    fields >> user >> system >> of_children >> kernels_of_children;
    const auto ticks = static_cast<double>(sysconf(_SC_CLK_TCK));
    return {user / ticks, system / ticks, (of_children + kernels_of_children) / ticks};
}

double cpu_seconds(pid_t pid)
{
    const ProcessTimes times = times_of(pid);
    return times.user_s + times.system_s;
}

double seconds_run(pid_t pid)
{
    constexpr double kNs = 1e9;
    double all = 0, ns = 0;
    std::error_code ignored;
    for (const auto& thread : std::filesystem::directory_iterator("/proc/" + std::to_string(pid) + "/task", ignored))
        if (std::ifstream(thread.path() / "schedstat") >> ns)
            all += ns / kNs;
    return all;
}

long long voluntary_switches(pid_t pid)
{
    constexpr std::string_view kLine = "voluntary_ctxt_switches:";
    long long all = 0;
    std::error_code ignored;
    for (const auto& thread : std::filesystem::directory_iterator("/proc/" + std::to_string(pid) + "/task", ignored)) {
        std::ifstream status(thread.path() / "status");
        for (std::string line; std::getline(status, line);)
            if (line.starts_with(kLine))
                all += std::atoll(line.c_str() + kLine.size());
    }
    return all;
}

long long monotonic_ns()
{
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

bool installed(const char* command)
{
    return std::system((std::string("command -v ") + command + " >/dev/null 2>&1").c_str()) == 0;
}

Tool::Tool(const std::vector<std::string>& words, const std::string& out_path)
    : out_(out_path.empty() ? temporary_file() : out_path), err_(temporary_file()), own_out_(out_path.empty())
{
    std::vector<char*> arguments;
    for (const auto& word : words)
        arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    started_ns_ = waited_from_ns_ = monotonic_ns();
    pid_ = fork();
    if (pid_ != 0)
        return;
    // Asks the kernel to end the tool when the benchmark ends, so that an interrupted benchmark leaves no tracer
    // running.
    prctl(PR_SET_PDEATHSIG, SIGINT);
    signal(SIGINT, SIG_DFL); // restores SIGINT: shells make background jobs ignore it, and the tool would inherit that
    use_other_cpus();
    redirect("/dev/null", 0);
    redirect(out_, 1);
    redirect(err_, 2);
    execvp(arguments[0], arguments.data());
    _exit(127);
}

Tool::~Tool()
{
    if (pid_ <= 0)
        return; // returns if the tool has already ended and its output was read
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
    if (own_out_)
        std::filesystem::remove(out_);
    std::filesystem::remove(err_);
}

bool Tool::running() const
{
    siginfo_t info{};
    return waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == 0;
}

// Sends the interrupt repeatedly, because bpftrace may miss it just before it sleeps and would then never end.
Usage Tool::interrupt()
{
    waited_from_ns_ = monotonic_ns();
    // with a pid of -1, kill() would signal all processes
    for (int second = 0; second < kPatience && pid_ > 0; second++) {
        kill(pid_, second + 1 < kPatience ? SIGINT : SIGKILL);
        for (int i = 0; i < 10000 && running(); i++)
            usleep(100);
        if (!running())
            break;
    }
    return wait();
}

Usage Tool::wait()
{
    Usage usage;
    rusage used{};
    int status = 0;
    siginfo_t info{};
    if (pid_ > 0 && waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOWAIT) == 0)
        usage.cpu_s = cpu_seconds(pid_);
    if (pid_ > 0 && wait4(pid_, &status, 0, &used) == pid_) {
        usage.wall_ms = static_cast<double>(monotonic_ns() - waited_from_ns_) / 1e6;
        usage.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        usage.max_rss_mb = static_cast<double>(used.ru_maxrss) / 1024;
    }
    pid_ = -1;
    if (own_out_)
        usage.out = take_file(out_);
    usage.err = take_file(err_);
    return usage;
}

bool wait_until_ready(const Tool& tool, const std::string& path)
{
    for (int ms = 0; ms < kMaxReady && tool.running(); ms += 10) {
        std::ifstream file(path);
        const std::string text((std::istreambuf_iterator<char>(file)), {});
        if (text.find("ready") != std::string::npos)
            return true;
        usleep(10'000);
    }
    return false;
}

double map_kb(pid_t pid)
{
    double bytes = 0;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/" + std::to_string(pid) + "/fdinfo", ignored)) {
        std::ifstream stream(entry.path());
        bool map = false;
        for (std::string name, value; stream >> name; std::getline(stream, value)) {
            map |= name == "map_type:";
            if (map && name == "memlock:") {
                double memory = 0;
                stream >> memory;
                bytes += memory;
            }
        }
    }
    return bytes / 1024;
}

} // namespace dt::bench
