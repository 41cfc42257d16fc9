// --agent: reads requests as JSON lines and writes JSON responses. The client is expected to be a program that
// generates D programs. So every run has limits that a request cannot lift. Each request is handled by a process of its
// own, so that a failure cannot affect later requests.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <functional>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cmd/common/messages.hpp"
#include "cmd/common/modes.hpp"
#include "cmd/hosts/remote_shells.hpp"

namespace dt::cmd {

// Runs this program in a child process. Passes on its output line by line, and ends it when it exceeds a limit.

struct CallLimits {
    std::chrono::milliseconds time{};
    uint64_t rows = 0;  ///< maximum number of lines of standard output
    uint64_t bytes = 0; ///< maximum number of bytes of standard output
};

struct CallEnd {
    int status = 0; ///< exit status of the child process, in the shell's convention
    /// name of the limit that was exceeded and ended the process: "time", "rows" or "bytes"; empty if none was
    const char* cut = "";
    std::string failed; ///< reason why the child process could not be started; empty if it was started
};

/// Runs /proc/self/exe with these arguments. At the time limit, the process receives SIGTERM; its output after that is
/// still passed on. After any other limit, no more output is passed on. `output` and `error` are called with one line
/// each, without newline.
CallEnd call_self(const std::vector<std::string>& words, const CallLimits& limits,
                  const std::function<void(std::string_view line)>& output,
                  const std::function<void(std::string_view line)>& error);

namespace {

using AgentJson = nlohmann::ordered_json;

/// Limits that a request may set: the highest value that is allowed (kMax…), and the value if the request sets none
/// (kUsual…).
constexpr uint64_t kMaxSeconds = 60, kUsualSeconds = 5;
constexpr uint64_t kMaxRows = 10'000, kUsualRows = 1'000;
constexpr uint64_t kMaxBytes = 4 << 20, kUsualBytes = 1 << 20;
// memory limit of a run in bytes, for kernel and tracer together
constexpr uint64_t kMaxMemory = 1 << 30, kUsualMemory = 256 << 20;
constexpr uint64_t kMaxCost = 50, kUsualCost = 5; // limit of tracing cost in percent of all CPU time
/// Maximum length of a request in bytes and maximum nesting depth of its JSON, because the client may be faulty.
constexpr std::size_t kMaxQuestion = 1 << 20, kMaxDepth = 32;
constexpr char kPolicyOfAgent[] = "destructive no\n";

/// Options that programs in requests may set. None of them lifts a limit, writes files, or has an effect after the run.
constexpr std::string_view kOptionsOfPrograms[] = {
    "aggpack",     "aggrate",     "aggsize",      "aggsortkey",   "aggsortkeypos", "aggsortpos", "aggsortrev",
    "aggzoom",     "defaultargs", "dynvarpolicy", "dynvarsize",   "nspec",         "quiet",      "specsize",
    "stackframes", "strsize",     "switchrate",   "ustackframes", "zdefs"};

/// Returns the reason why the program may not run; an empty string if it may. Rejects any text with the word "pragma",
/// also in comments and strings.
std::string unwanted_pragma(std::string_view text)
{
    if (text.find("\\\n") != std::string_view::npos)
        return "a line that ends with a backslash";
    constexpr std::string_view kPragma = "pragma", kSpaces = " \t";
    for (std::size_t at = text.find(kPragma); at != std::string_view::npos; at = text.find(kPragma, at)) {
        at += kPragma.size();
        std::string_view line = text.substr(at, text.substr(at).find('\n'));
        const auto next = [&line, kSpaces] {
            line.remove_prefix(std::min(line.find_first_not_of(kSpaces), line.size()));
            const std::string_view word = line.substr(0, line.find_first_of(kSpaces));
            line.remove_prefix(word.size());
            return word;
        };
        if (next() != "D" || next() != "option")
            return "a pragma that does not set an option";
        for (std::string_view word = next(); !word.empty(); word = next()) {
            const std::string_view name = word.substr(0, word.find_first_of("=+"));
            if (std::find(std::begin(kOptionsOfPrograms), std::end(kOptionsOfPrograms), name) ==
                std::end(kOptionsOfPrograms))
                return "option " + std::string(name);
        }
    }
    return {};
}

/// Reads a line. If it is too long, `line` holds only its beginning and is_too_long is set.
bool next_line(std::string& line, bool& is_too_long)
{
    std::streambuf& input = *std::cin.rdbuf();
    line.clear();
    is_too_long = false;
    int c = input.sbumpc();
    if (c == EOF)
        return false;
    for (; c != EOF && c != '\n'; c = input.sbumpc())
        if (line.size() < kMaxQuestion)
            line += static_cast<char>(c);
        else
            is_too_long = true;
    return true;
}

/// Returns how deeply objects and arrays are nested in the text. The text need not be valid JSON.
std::size_t depth_of(std::string_view line)
{
    std::size_t depth = 0, most = 0;
    bool is_text = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        if (is_text && c == '\\')
            ++i;
        else if (c == '"')
            is_text = !is_text;
        else if (!is_text && (c == '[' || c == '{'))
            most = std::max(most, ++depth);
        else if (!is_text && (c == ']' || c == '}') && depth > 0)
            --depth;
    }
    return most;
}

class Agent {
public:
    explicit Agent(const Arguments& arguments) : arguments_(arguments) {}

    int run()
    {
        const int policy = memfd_create("policy", 0);
        if (policy < 0 || write(policy, kPolicyOfAgent, sizeof kPolicyOfAgent - 1) < 0) {
            print_message(arguments_, "cannot create the file with the limits of --agent");
            return kFailure;
        }
        policy_ = "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(policy);
        bool is_too_long = false;
        for (std::string line; next_line(line, is_too_long);)
            if (is_too_long || depth_of(line) > kMaxDepth)
                refuse({}, is_too_long ? "a request may have at most 1 MiB"
                                       : "a request may have at most 32 levels of arrays and objects");
            else if (line.find_first_not_of(" \t\r") != std::string::npos)
                answer(line);
        close(policy);
        return kSuccess;
    }

private:
    struct Question {
        AgentJson id;
        std::string method, program, script;
        std::vector<std::string> arguments;
        uint64_t pid = 0;    ///< value of the macro $target in the program; 0: no process
        uint64_t memory = 0; ///< memory limit of the run in bytes
        uint64_t cost = 0;   ///< limit of the cost of tracing in percent of the CPU time of all CPUs
        CallLimits limits;
    };

    void answer(const std::string& line)
    {
        const AgentJson asked = AgentJson::parse(line, nullptr, false);
        Question question;
        question.id = asked.is_object() && asked.contains("id") ? asked["id"] : AgentJson();
        if (const std::string wrong = read(asked, question); !wrong.empty())
            return refuse(question, wrong);
        if (question.method == "status")
            return ask_service(question, "status");
        if (question.method == "cost")
            return ask_service(question, "cost");
        if (question.method == "check")
            return check(question);
        if (question.method == "list")
            return print(question, {"-ln", question.program}, true);
        if (question.method == "args")
            return print(question, {"-lvn", question.program}, false);
        if (question.method == "estimate")
            return run(question, {"--estimate", "-x", "format=jsonl"});
        if (question.method == "run")
            return run(question, {"-q", "-x", "format=jsonl", "-x", "maxcost=" + std::to_string(question.cost) + "%",
                                  "-x", "maxmem=" + std::to_string(question.memory), "--policy", policy_});
        refuse(question, "unknown method: it must be check, list, args, estimate, run, status or cost");
    }

    /// Parses a request. Returns an error message, or an empty string.
    static std::string read(const AgentJson& asked, Question& question)
    {
        if (!asked.is_object())
            return "a request must be a JSON object on one line";
        for (const auto& [name, value] : asked.items()) {
            if (name == "id")
                continue;
            const bool is_number = name == "seconds" || name == "rows" || name == "bytes" || name == "pid" ||
                                   name == "memory" || name == "cost";
            const bool is_known =
                is_number || name == "method" || name == "program" || name == "arguments" || name == "script";
            if (!is_known)
                return name + " is unknown: a request may have id, method, program, arguments, pid, script, seconds, "
                              "rows, bytes, memory and cost";
            if (is_number ? !value.is_number_unsigned() : name == "arguments" ? !value.is_array() : !value.is_string())
                return name + (is_number             ? " must be a number that is not negative"
                               : name == "arguments" ? " must be a list of strings"
                                                     : " must be a string");
        }
        question.method = asked.value("method", "");
        question.program = asked.value("program", "");
        question.script = asked.value("script", "");
        question.pid = asked.value("pid", uint64_t{0});
        for (const AgentJson& each : asked.value("arguments", AgentJson::array())) {
            if (!each.is_string())
                return "arguments must be a list of strings";
            question.arguments.push_back(each);
        }
        const auto limit = [&](const char* name, uint64_t usual, uint64_t most) {
            return std::min(asked.value(name, usual), most);
        };
        question.limits = {std::chrono::seconds(limit("seconds", kUsualSeconds, kMaxSeconds)),
                           limit("rows", kUsualRows, kMaxRows), limit("bytes", kUsualBytes, kMaxBytes)};
        question.memory = limit("memory", kUsualMemory, kMaxMemory);
        // at least 1, because a cost limit of 0 would mean no limit
        question.cost = std::max<uint64_t>(limit("cost", kUsualCost, kMaxCost), 1);
        if (const std::string unwanted = unwanted_pragma(question.program); !unwanted.empty())
            return "programs of --agent may not contain " + unwanted;
        if (question.method == "cost" && question.script.empty())
            return "script is missing";
        const bool is_of_service = question.method == "cost" || question.method == "status";
        return question.program.empty() && !is_of_service ? "program is missing" : "";
    }

    static void send(const AgentJson& message)
    {
        std::cout << message.dump(-1, ' ', false, AgentJson::error_handler_t::replace) << '\n' << std::flush;
    }

    static void refuse(const Question& question, const std::string& why)
    {
        send({{"id", question.id}, {"ok", false}, {"error", why}});
    }

    /// Appends a line of standard error to `errors` or `messages`. A JSON object is an error of the program, with
    /// location and suggestion; any other line is a plain message.
    static void take_message(std::string_view line, AgentJson& errors, AgentJson& messages)
    {
        AgentJson error = AgentJson::parse(line, nullptr, false);
        if (error.is_object())
            errors.push_back(std::move(error));
        else
            messages.push_back(std::string(line));
    }

    static void end(const Question& question, const CallEnd& ended, AgentJson answer, AgentJson errors,
                    AgentJson messages)
    {
        if (!ended.failed.empty())
            return refuse(question, ended.failed);
        AgentJson all = {{"id", question.id}, {"ok", ended.status == 0 && errors.empty()}, {"status", ended.status}};
        if (*ended.cut)
            all["cut"] = ended.cut;
        all.update(answer);
        if (!errors.empty())
            all["errors"] = std::move(errors);
        if (!messages.empty())
            all["messages"] = std::move(messages);
        send(all);
    }

    void check(const Question& question) const
    {
        AgentJson errors = AgentJson::array(), messages = AgentJson::array();
        const CallEnd ended = call_self(
            words_of(question, {"-e", "-x", "errors=json"}), question.limits, [](std::string_view) {},
            [&](std::string_view line) { take_message(line, errors, messages); });
        end(question, ended, AgentJson::object(), std::move(errors), std::move(messages));
    }

    /// Runs a command that lists probes or prints text, and drops the heading. Sends one response with an array: the
    /// probes' names if `is_list` is true, else the lines of text.
    void print(const Question& question, std::vector<std::string> words, bool is_list) const
    {
        words.insert(words.begin(), {"-x", "errors=json"});
        add_target(question, words);
        AgentJson rows = AgentJson::array(), errors = AgentJson::array(), messages = AgentJson::array();
        bool is_heading = true;
        const CallEnd ended = call_self(
            words, question.limits,
            [&](std::string_view line) {
                if (!std::exchange(is_heading, false))
                    rows.push_back(is_list ? probe_in(line) : std::string(line));
            },
            [&](std::string_view line) { take_message(line, errors, messages); });
        end(question, ended, {{is_list ? "probes" : "lines", std::move(rows)}}, std::move(errors), std::move(messages));
    }

    /// Reads a line of the listing such as " 18 syscall vmlinux read entry". Returns the probe's name, here
    /// "syscall:vmlinux:read:entry".
    static std::string probe_in(std::string_view line)
    {
        std::vector<std::string> words;
        for (std::size_t at = line.find_first_not_of(' '); at < line.size();) {
            const std::size_t end = std::min(line.find(' ', at), line.size());
            words.emplace_back(line.substr(at, end - at));
            at = std::min(line.find_first_not_of(' ', end), line.size());
        }
        constexpr std::size_t kAll = 5;
        const bool has_all = words.size() >= kAll;
        std::string name = words.size() > 1 ? words[1] + ":" + (has_all ? words[2] : "") + ":" : std::string(line);
        for (std::size_t i = has_all ? 3 : 2; i < words.size(); ++i)
            name += (i + 1 == words.size() ? ":" : i > (has_all ? 3u : 2u) ? " " : "") + words[i];
        return name;
    }

    /// Runs the program, sends its output rows as they arrive, and finally the result.
    void run(const Question& question, std::vector<std::string> words) const
    {
        words.insert(words.end(), {"-x", "errors=json"});
        AgentJson errors = AgentJson::array(), messages = AgentJson::array();
        uint64_t rows = 0;
        const CallEnd ended = call_self(
            words_of(question, words), question.limits,
            [&](std::string_view line) {
                AgentJson row = AgentJson::parse(line, nullptr, false);
                if (row.is_discarded())
                    row = std::string(line);
                send({{"id", question.id}, {"row", std::move(row)}});
                ++rows;
            },
            [&](std::string_view line) { take_message(line, errors, messages); });
        end(question, ended, {{"rows", rows}}, std::move(errors), std::move(messages));
    }

    /// Queries a service for its scripts, for one script, or for the cost of one script. The service must reply within
    /// the time limit of the request.
    static void ask_service(const Question& question, const std::string& verb)
    {
        std::vector<std::string> words = {"service", verb, "-x", "format=jsonl"};
        if (!question.script.empty())
            words.insert(words.end(), {"--", question.script});
        AgentJson said, messages = AgentJson::array();
        const CallEnd ended = call_self(
            words, question.limits, [&](std::string_view line) { said = AgentJson::parse(line, nullptr, false); },
            [&](std::string_view line) { messages.push_back(std::string(line)); });
        if (*ended.cut)
            return refuse(question, std::string("no answer within the limit of ") + ended.cut);
        AgentJson answer = AgentJson::object();
        if (said.is_object() && verb == "cost")
            answer["cost"] = std::move(said);
        else if (said.is_object() && said.contains("scripts"))
            answer = std::move(said);
        else if (said.is_object())
            answer["scripts"] = AgentJson::array({std::move(said)});
        end(question, ended, std::move(answer), AgentJson::array(), std::move(messages));
    }

    static void add_target(const Question& question, std::vector<std::string>& words)
    {
        if (question.pid != 0)
            words.insert(words.begin(), {"-p", std::to_string(question.pid)});
    }

    static std::vector<std::string> words_of(const Question& question, std::vector<std::string> words)
    {
        add_target(question, words);
        words.insert(words.end(), {"-n", question.program, "--"});
        words.insert(words.end(), question.arguments.begin(), question.arguments.end());
        return words;
    }

    const Arguments& arguments_;
    std::string policy_;
};

} // namespace

int agent_mode(const Arguments& arguments)
{
    return Agent(arguments).run();
}

namespace {

using CallClock = std::chrono::steady_clock;

/// If a process has not ended this long after SIGTERM, it gets SIGKILL.
constexpr auto kGraceOfCall = std::chrono::seconds(10);

class Call {
public:
    explicit Call(const CallLimits& limits) : limits_(limits), until_(CallClock::now() + limits.time) {}
    ~Call()
    {
        for (const int each : files_)
            if (each >= 0)
                close(each);
    }

    /// Starts the child process. Returns 0 or an errno.
    int start(const std::vector<std::string>& words)
    {
        int output[2], error[2];
        if (pipe2(output, O_CLOEXEC) != 0)
            return errno;
        files_[0] = output[0];
        if (pipe2(error, O_CLOEXEC) != 0) {
            const int failed = errno;
            close(output[1]);
            return failed;
        }
        files_[1] = error[0];
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        posix_spawn_file_actions_adddup2(&actions, output[1], STDOUT_FILENO);
        posix_spawn_file_actions_adddup2(&actions, error[1], STDERR_FILENO);
        std::vector<char*> argv;
        std::string name = "dtrace";
        argv.push_back(name.data());
        for (const std::string& word : words)
            argv.push_back(const_cast<char*>(word.c_str()));
        argv.push_back(nullptr);
        const int failed = posix_spawn(&process_, "/proc/self/exe", &actions, nullptr, argv.data(), environ);
        posix_spawn_file_actions_destroy(&actions);
        close(output[1]);
        close(error[1]);
        return failed;
    }

    template <typename Handle> void run(const Handle& output, const Handle& error)
    {
        while (files_[0] >= 0 || files_[1] >= 0) {
            const auto left = std::chrono::ceil<std::chrono::milliseconds>(until_ - CallClock::now());
            if (left.count() <= 0) {
                end_or_kill();
                continue;
            }
            std::array<pollfd, 2> waits{{{files_[0], POLLIN, 0}, {files_[1], POLLIN, 0}}};
            if (poll(waits.data(), waits.size(), static_cast<int>(std::min<int64_t>(left.count(), 60'000))) <= 0)
                continue;
            if (waits[0].revents != 0)
                read_lines(0, [&](std::string_view line) { count(line, output); });
            if (waits[1].revents != 0)
                read_lines(1, [&](std::string_view line) { count_message(line, error); });
        }
    }

    CallEnd end()
    {
        int status = 0;
        while (waitpid(process_, &status, 0) < 0 && errno == EINTR)
            continue;
        constexpr int kSignalled = 128;
        // If SIGTERM arrives before the child has installed its handler, the signal kills the child; that is no
        // failure.
        if (is_asked_ && WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM)
            status = 0;
        return {WIFEXITED(status) ? WEXITSTATUS(status) : kSignalled + WTERMSIG(status), cut_, {}};
    }

private:
    void end_or_kill()
    {
        kill(process_, is_asked_ ? SIGKILL : SIGTERM);
        if (!is_asked_ && !*cut_)
            cut_ = "time";
        is_asked_ = true;
        until_ = CallClock::now() + kGraceOfCall;
    }

    template <typename Handle> void count(std::string_view line, const Handle& handle)
    {
        ++rows_;
        bytes_ += line.size() + 1;
        const char* const over = rows_ > limits_.rows ? "rows" : bytes_ > limits_.bytes ? "bytes" : nullptr;
        if (over && !is_full_) {
            is_full_ = true;
            cut_ = over;
            end_or_kill();
        }
        if (!is_full_)
            handle(line);
    }

    /// Passes a line of standard error to `handle`. All lines of standard error together may have at most limits_.bytes
    /// bytes. Standard output has a separate limit of the same size.
    template <typename Handle> void count_message(std::string_view line, const Handle& handle)
    {
        message_bytes_ += line.size() + 1;
        if (message_bytes_ <= limits_.bytes)
            return handle(line);
        if (!is_full_)
            end_or_kill();
        is_full_ = true;
        cut_ = "bytes";
    }

    template <typename Handle> void read_lines(std::size_t which, const Handle& handle)
    {
        char bytes[1 << 16];
        const ssize_t size = ::read(files_[which], bytes, sizeof bytes);
        if (size > 0)
            return lines_[which].add({bytes, static_cast<std::size_t>(size)}, handle);
        if (size < 0 && (errno == EAGAIN || errno == EINTR))
            return;
        lines_[which].finish(handle);
        close(std::exchange(files_[which], -1));
    }

    const CallLimits limits_;
    CallClock::time_point until_;
    std::array<int, 2> files_ = {-1, -1};
    std::array<Lines, 2> lines_;
    pid_t process_ = -1;
    uint64_t rows_ = 0, bytes_ = 0, message_bytes_ = 0;
    bool is_asked_ = false, is_full_ = false;
    const char* cut_ = "";
};

} // namespace

CallEnd call_self(const std::vector<std::string>& words, const CallLimits& limits,
                  const std::function<void(std::string_view line)>& output,
                  const std::function<void(std::string_view line)>& error)
{
    Call call(limits);
    if (const int failed = call.start(words); failed != 0)
        return {0, "", std::strerror(failed)};
    call.run(output, error);
    return call.end();
}

} // namespace dt::cmd
