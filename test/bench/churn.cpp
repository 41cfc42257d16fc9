// bench churn: measures the resident memory of a tracer while short-lived processes start and end.
//
//   bench churn [SECONDS [PROCESSES]]   duration in seconds (120), processes per second (1000)
//     --script TEXT    script; PARENT is the process that starts them (default: counts their user stacks)
//     -x NAME=VALUE    option of the tracer
//     --csv FILE       writes a line per second
//     --svg FILE       writes a plot
//
// A tracer that runs for days sees more processes than fit into its memory, so it must discard the data of ended
// processes. To verify this takes minutes: the first third of the time is warm-up; then memory should be constant.
#include "test/bench/churn.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <thread>

#include <unistd.h>

#include "test/bench/plot.hpp"
#include "test/bench/short_processes.hpp"
#include "test/bench/tool.hpp"

namespace dt::bench {

namespace {

constexpr std::size_t kMaxSaid = 400; // maximum number of characters shown from the end of the tracer's output

struct ChurnWanted {
    int seconds = 120, rate = 1000;
    std::vector<std::string> options;
    std::string script = "syscall::getppid:entry /ppid == PARENT/ { @[ustack()] = count(); }";
    std::string csv, svg;
    bool is_good = true;
};

struct ChurnSecond : TracerMemory {
    long started = 0; // number of processes started in the second that this sample covers
};

ChurnWanted read_wanted(const std::vector<std::string>& words)
{
    ChurnWanted wanted;
    int numbers = 0;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const bool has_value = i + 1 < words.size();
        const int number = std::atoi(words[i].c_str());
        if (words[i] == "-x" && has_value)
            wanted.options.insert(wanted.options.end(), {"-x", words[++i]});
        else if (words[i] == "--script" && has_value)
            wanted.script = words[++i];
        else if (words[i] == "--csv" && has_value)
            wanted.csv = words[++i];
        else if (words[i] == "--svg" && has_value)
            wanted.svg = words[++i];
        else if (number > 0 && numbers < 2)
            (numbers++ == 0 ? wanted.seconds : wanted.rate) = number;
        else
            wanted.is_good = false;
    }
    const auto parent = wanted.script.find("PARENT");
    if (parent != std::string::npos)
        wanted.script.replace(parent, 6, std::to_string(getpid()));
    return wanted;
}

void write_csv(const std::string& path, const std::vector<ChurnSecond>& seconds)
{
    std::ofstream file(path);
    file << "second,processes,resident_mb,anonymous_mb,maps_mb\n";
    for (std::size_t i = 0; i < seconds.size(); ++i)
        file << i + 1 << ',' << seconds[i].started << ',' << seconds[i].resident << ',' << seconds[i].own << ','
             << seconds[i].kernel << '\n';
}

Plot plot_of(const std::vector<ChurnSecond>& seconds)
{
    PlotLine resident{"resident", {}}, own{"of no file", {}};
    for (const ChurnSecond& second : seconds) {
        resident.values.push_back(second.resident);
        own.values.push_back(second.own);
    }
    const long started = seconds.empty() ? 0 : seconds.back().started;
    return {"memory of the tracer while " + std::to_string(started) + " processes come and go",
            "MB",
            static_cast<double>(seconds.size()),
            {resident, own}};
}

void print_churn(const std::vector<ChurnSecond>& seconds)
{
    const std::vector<ChurnSecond> warm(seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 3),
                                        seconds.end());
    if (warm.size() < 2)
        return;
    const auto less = [](const ChurnSecond& a, const ChurnSecond& b) { return a.resident < b.resident; };
    const double first = warm.front().resident, last = warm.back().resident;
    std::printf("%zu seconds, %ld processes (%ld a second); after %zu seconds:\n", seconds.size(),
                seconds.back().started, seconds.back().started / static_cast<long>(seconds.size()), seconds.size() / 3);
    std::printf("resident MB: first %.1f, last %.1f (%+.1f %%), least %.1f, most %.1f; %+.2f MB a minute\n", first,
                last, 100 * (last / first - 1), std::min_element(warm.begin(), warm.end(), less)->resident,
                std::max_element(warm.begin(), warm.end(), less)->resident,
                (last - first) * 60 / static_cast<double>(warm.size() - 1));
    std::printf("of that not of files: %.1f to %.1f; the kernel's maps: %.1f to %.1f\n", warm.front().own,
                warm.back().own, warm.front().kernel, warm.back().kernel);
}

} // namespace

int run_churn(const std::vector<std::string>& words, const std::string& build)
{
    const ChurnWanted wanted = read_wanted(words);
    if (!wanted.is_good || geteuid() != 0) {
        std::fprintf(stderr, "usage: bench churn [SECONDS [PROCESSES]] [--script TEXT] [-x NAME=VALUE] [--csv FILE] "
                             "[--svg FILE], as root\n");
        return 1;
    }
    std::vector<std::string> command{build + "/dtrace", "-qn", wanted.script};
    command.insert(command.end(), wanted.options.begin(), wanted.options.end());
    Tool tracer(command, "/dev/null");
    std::vector<ChurnSecond> seconds;
    {
        const ShortProcesses processes(build + "/test/progs/brief", wanted.rate);
        while (static_cast<int>(seconds.size()) < wanted.seconds && tracer.running()) {
            std::this_thread::sleep_for(std::chrono::seconds(1));
            seconds.push_back({memory_of_tracer(tracer.pid()), processes.started()});
        }
    }
    kill(tracer.pid(), SIGINT); // sends one signal and then waits, because the tracer needs time to print
    const Usage usage = tracer.wait();
    print_churn(seconds);
    const std::string said = usage.err.substr(usage.err.size() - std::min(usage.err.size(), kMaxSaid));
    std::printf("CPU of the tracer: %.1f s; status %d; it said: %s\n", usage.cpu_s, usage.status,
                said.empty() ? "nothing" : said.c_str());
    if (!wanted.csv.empty())
        write_csv(wanted.csv, seconds);
    if (!wanted.svg.empty())
        write_svg(wanted.svg, plot_of(seconds));
    return 0;
}

} // namespace dt::bench
