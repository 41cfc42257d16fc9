#include "test/bench/filters/lttng/session.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test/bench/loop.hpp"
#include "test/bench/tool.hpp"

namespace dt::bench::filters {

namespace {

constexpr uid_t kNobody = 65534;
constexpr const char* kHowToInstall =
    "LTTng is not installed (apt-get install lttng-tools liblttng-ust-dev, then cmake build/release and build again)";

std::string program_path()
{
#ifdef DTRACE_BENCH_LTTNG_PROGRAM
    return DTRACE_BENCH_LTTNG_PROGRAM;
#else
    return {};
#endif
}

/// Returns the filter in LTTng's syntax, which differs from D only in the field names.
std::string filter_of(const Shape& shape)
{
    if (shape.source == Source::Packet)
        return "device == \"lo\" && protocol == 8 && length > 100";
    return shape.source == Source::Switch ? "command == \"filt*\" && state == 1" : shape.predicate;
}

std::string tracepoint_of(const Shape& shape)
{
    return shape.source == Source::Chain    ? "dt_filters:chain"
           : shape.source == Source::Packet ? "dt_filters:packet"
                                            : "dt_filters:task_switch";
}

void end(pid_t& child)
{
    if (child <= 0)
        return;
    kill(child, SIGTERM);
    waitpid(child, nullptr, 0);
    child = -1;
}

} // namespace

Lttng::Lttng(std::filesystem::path newest) : newest_(std::move(newest))
{
    if (program_path().empty() || (newest_.empty() && !(installed("lttng") && installed("lttng-sessiond"))))
        problem_ = kHowToInstall;
    else if (geteuid() != 0)
        problem_ = "needs root, to run LTTng as nobody";
    else if (!begin_all() && problem_.empty())
        problem_ = "the session daemon does not answer";
}

Lttng::~Lttng()
{
    if (to_program_ >= 0)
        close(to_program_); // the program ends when its input ends
    if (program_ > 0)
        waitpid(program_, nullptr, 0);
    if (from_program_ >= 0)
        close(from_program_);
    end(daemon_);
    std::error_code ignored;
    if (!home_.empty())
        std::filesystem::remove_all(home_, ignored);
}

/// Starts a process as user nobody, with the given descriptors as standard input and output; -1: /dev/null.
pid_t Lttng::begin(const std::vector<std::string>& words, int in, int out) const
{
    const pid_t child = fork();
    if (child != 0)
        return child;
    const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    dup2(in < 0 ? null : in, STDIN_FILENO);
    dup2(out < 0 ? null : out, STDOUT_FILENO);
    dup2(null, STDERR_FILENO);
    setenv("LTTNG_HOME", home_.c_str(), 1);
    setenv("HOME", home_.c_str(), 1);
    // LTTng waits before main() until the session daemon knows the program
    setenv("LTTNG_UST_REGISTER_TIMEOUT", "-1", 1);
    if (setgroups(0, nullptr) != 0 || setgid(kNobody) != 0 || setuid(kNobody) != 0)
        _exit(126);
    std::vector<char*> arguments;
    for (const std::string& word : words)
        arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    execvp(arguments[0], arguments.data());
    _exit(127);
}

std::string Lttng::own(const char* program) const
{
    return newest_.empty() ? program : (newest_ / "bin" / program).string();
}

/// Returns a command that starts `program` of a newer LTTng with its own libraries: a copy of that LTTng's start script
/// bin/lttng in which `program` replaces lttng. Returns `program` if only the installed LTTng is used.
std::string Lttng::with_newest(const std::string& program) const
{
    if (newest_.empty())
        return program;
    std::ifstream stream(newest_ / "bin/lttng");
    std::string text(std::istreambuf_iterator<char>(stream), {});
    const std::string lttng = (std::filesystem::absolute(newest_) / "root/usr/bin/lttng").string();
    if (const auto at = text.find(lttng + "\""); at != std::string::npos)
        text.replace(at, lttng.size(), program);
    const auto start = home_ / std::filesystem::path(program).filename();
    std::ofstream(start) << text;
    std::filesystem::permissions(start, std::filesystem::perms::others_all | std::filesystem::perms::owner_all);
    return start;
}

bool Lttng::command(std::vector<std::string> words)
{
    words.insert(words.begin(), {own("lttng"), "--no-sessiond"});
    int status = 0;
    const pid_t child = begin(words, -1, -1);
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool Lttng::begin_all()
{
    std::string name = (std::filesystem::temp_directory_path() / "filters-lttng-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr || chown(name.c_str(), kNobody, static_cast<gid_t>(kNobody)) != 0)
        return false;
    home_ = name;
    if (FILE* pipe = popen((own("lttng") + " --version").c_str(), "r")) {
        char line[128] = "";
        if (std::fgets(line, sizeof line, pipe) != nullptr)
            version_ = line;
        pclose(pipe);
        version_ = version_.substr(0, version_.find(" -"));
        version_ = "LTTng " + version_.substr(version_.rfind(' ') + 1);
    }
    std::vector<std::string> daemon{own("lttng-sessiond"), "--no-kernel"};
    if (!newest_.empty())
        for (const auto& entry : std::filesystem::recursive_directory_iterator(newest_ / "root/usr/lib"))
            if (entry.path().filename() == "lttng-consumerd")
                daemon.push_back("--consumerd64-path=" + with_newest(std::filesystem::absolute(entry.path()).string()));
    daemon_ = begin(daemon, -1, -1);
    bool answers = false;
    for (int i = 0; i < 1000 && !answers; i++) {
        answers = command({"list"});
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    int in[2], out[2];
    if (!answers || pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0)
        return false;
    use_loop_cpu(); // the traced program inherits this CPU affinity
    program_ = begin({with_newest(program_path())}, in[0], out[1]);
    use_other_cpus();
    close(in[0]);
    close(out[1]);
    to_program_ = in[1];
    from_program_ = out[0];
    return program_ > 0;
}

bool Lttng::prepare(const Shape& shape, bool filtered, bool written)
{
    std::vector<std::string> create{"create", "filters"}, event{"enable-event", "-u", "-c", "c", tracepoint_of(shape)};
    if (written)
        create.push_back("--output=" + trace().string());
    else
        create.emplace_back("--snapshot");
    if (filtered) {
        event.emplace_back("--filter");
        event.push_back(filter_of(shape));
    }
    return command(create) && command({"enable-channel", "-u", "c", "--num-subbuf=4", "--subbuf-size=256k"}) &&
           command(event);
}

bool Lttng::start()
{
    return command({"start"});
}

bool Lttng::destroy()
{
    return command({"destroy", "filters"});
}

std::string Lttng::ask(const std::string& line)
{
    const std::string text = line + "\n";
    if (::write(to_program_, text.data(), text.size()) != static_cast<ssize_t>(text.size()))
        return {};
    std::string answer;
    for (char c = 0; read(from_program_, &c, 1) == 1 && c != '\n';)
        answer += c;
    return answer;
}

} // namespace dt::bench::filters
