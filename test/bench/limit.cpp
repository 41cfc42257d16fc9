// bench limit: measures event storms under -x maxcost: the time lost to tracing, and the accuracy of totals.
//
//   bench limit [SECONDS [ROUNDS]]   duration of each storm (20), and number of storms per limit (3)
//     --svg FILE            plot of the cost over time, for the first rounds
//     --rate MILLIONS       only the storm with this many calls per second (1, 5 or 10)
//     --limit LIMIT         measures only this limit (1% or 5%), and the control case without a tracer
//     --notes               prints the tracer's notices about its steps
//
// A thread on each CPU makes calls at the given rate (storm.cpp). The cost of tracing is the additional time of the
// calls plus the tracer's own CPU time. The storm knows the number of its calls and the sum of their arguments.
// Sometimes it waits between two other calls for a random, known time; a script that traces both ends of the wait must
// find the quantiles that the storm itself records.
//
// Each printed error of a total or a quantile is the mean over all rounds, followed by its standard error. So
// systematic errors can be distinguished from chance: a few dozen sampling windows contain only some hundreds of waits,
// and a window may end during a wait.
#include "test/bench/limit.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <utility>

#include <unistd.h>

#include <nlohmann/json.hpp>

#include "test/bench/machine.hpp"
#include "test/bench/plot.hpp"
#include "test/bench/storm.hpp"
#include "test/bench/tool.hpp"

namespace dt::bench {

namespace {

constexpr int kLooks = 10;     // how often per second the cost of tracing is sampled
constexpr double kSettled = 2; // seconds after the start during which the limit may be exceeded
constexpr int kMaxReadyMs = 20'000;
constexpr double kWaitStep = 100;       // width in ns of a bucket in the histogram of waits
constexpr double kOpenBucket = 100'000; // start of the last bucket in ns; it counts all longer waits
constexpr double kQuantiles[] = {0.5, 0.9, 0.99};
constexpr const char* kNoTracer = "no tracer"; // control case: the storm without a tracer shows the error of the method
// largest accepted errors in percent: of the totals (kTotalsAsk), and of the quantiles of the waits (kWaitsAsk)
constexpr double kTotalsAsk = 2, kWaitsAsk = 3;
constexpr double kLimitAsk = 1.5; // largest accepted cost in any two seconds, as a multiple of the limit
constexpr int kStormSeconds = 20, kStormRounds = 3;

struct LimitArguments {
    int seconds = kStormSeconds, rounds = kStormRounds;
    std::string svg, only_rate, only_limit;
    bool notes = false;
};

struct LimitResult {
    double made = 0;                      ///< number of calls per second that the storm made
    std::vector<double> shares;           ///< cost in percent of the CPU time of all CPUs, for each sample
    std::map<std::string, double> errors; ///< errors of the totals in percent, by name of the aggregation
    std::vector<double> waits;            ///< errors in percent, of each quantile in kQuantiles
};

std::vector<double> quantiles_of_storm(const StormState& state)
{
    std::vector<float> all(state.wait_ns, state.wait_ns + std::min<long>(state.waits, kMaxWaits));
    std::sort(all.begin(), all.end());
    std::vector<double> found;
    for (const double part : kQuantiles)
        found.push_back(all.empty() ? 0 : all[static_cast<std::size_t>(part * static_cast<double>(all.size() - 1))]);
    return found;
}

/// Returns kQuantiles of a histogram. `buckets` has the lower bound and the count of each bucket, in order.
std::vector<double> quantiles_of_buckets(const nlohmann::json& buckets)
{
    double all = 0;
    for (const auto& bucket : buckets)
        all += bucket[1].get<double>();
    std::vector<double> found;
    for (const double part : kQuantiles) {
        double before = 0;
        for (const auto& bucket : buckets) {
            const double count = bucket[1].get<double>();
            if (before + count >= part * all) {
                // the label of the last bucket is no number, so its known start is used
                const double least = bucket[0].is_number() ? bucket[0].get<double>() : kOpenBucket;
                found.push_back(least + kWaitStep * (part * all - before) / count);
                break;
            }
            before += count;
        }
    }
    return found;
}

bool is_ready(const Tool& tool, const std::string& path)
{
    for (int ms = 0; ms < kMaxReadyMs && tool.running(); ms += 10) {
        std::ifstream file(path);
        std::stringstream text;
        text << file.rdbuf();
        if (text.str().find("ready") != std::string::npos)
            return true;
        usleep(10'000);
    }
    return false;
}

LimitResult storm_under(const std::string& limit, double rate, const LimitArguments& arguments,
                        const std::string& build)
{
    const int seconds = arguments.seconds;
    const std::string path = std::filesystem::temp_directory_path() / ("limit." + std::to_string(getpid()));
    LimitResult result;
    Storm storm(rate);
    if (limit == kNoTracer) {
        result.shares = storm.watch(seconds, kLooks, 0);
        result.made = static_cast<double>(storm.state().calls()) / seconds;
        return result;
    }
    const std::string script =
        "BEGIN { printf(\"ready\"); } syscall::getppid:entry /pid == " + std::to_string(storm.pid()) +
        "/ { @calls = count(); @sum = sum(arg2); } syscall::getpgid:entry /pid == " + std::to_string(storm.pid()) +
        "/ { self->at = timestamp; } syscall::getsid:entry /self->at/ { @waits = lquantize(timestamp - self->at, 0, "
        "100000, 100); "
        "self->at = 0; }";
    std::vector<std::string> command{build + "/dtrace", "-x", "format=jsonl", "-qn", script};
    if (!limit.empty())
        command.insert(command.begin() + 1, {"-x", "maxcost=" + limit});
    Tool tracer(command, path);
    if (is_ready(tracer, path)) {
        result.shares = storm.watch(seconds, kLooks, tracer.pid());
        storm.end();
        const Usage usage = tracer.interrupt();
        if (arguments.notes)
            std::fputs(usage.err.c_str(), stderr);
        const std::map<std::string, double> truth{{"calls", static_cast<double>(storm.state().calls())},
                                                  {"sum", static_cast<double>(storm.state().sum())}};
        result.made = truth.at("calls") / seconds;
        std::ifstream file(path);
        for (std::string line; std::getline(file, line);) {
            const auto row = nlohmann::json::parse(line, nullptr, false);
            if (row.is_discarded() || row.value("type", "") != "agg")
                continue;
            if (row.contains("buckets")) {
                const std::vector<double> found = quantiles_of_buckets(row["buckets"]),
                                          made = quantiles_of_storm(storm.state());
                for (std::size_t i = 0; i < found.size(); ++i)
                    result.waits.push_back(100 * (found[i] / made[i] - 1));
            } else
                result.errors[row["name"]] = 100 * (row["value"].get<double>() / truth.at(row["name"]) - 1);
        }
    }
    std::filesystem::remove(path);
    return result;
}

double mean(const double* begin, const double* end)
{
    double sum = 0;
    for (const double* each = begin; each != end; ++each)
        sum += *each;
    return end > begin ? sum / static_cast<double>(end - begin) : 0;
}

/// Errors of all rounds in percent, of a total or a quantile: mean, standard error of the mean, and largest error.
struct Error {
    double mean = 0, standard = 0, worst = 0;
    std::size_t rounds = 0;
};

Error error_of(const std::vector<double>& rounds)
{
    Error error{mean(rounds.data(), rounds.data() + rounds.size()), 0, 0, rounds.size()};
    double squares = 0;
    for (const double each : rounds) {
        squares += (each - error.mean) * (each - error.mean);
        if (std::fabs(each) > std::fabs(error.worst))
            error.worst = each;
    }
    const auto count = static_cast<double>(rounds.size());
    error.standard = rounds.size() > 1 ? std::sqrt(squares / (count - 1) / count) : 0;
    return error;
}

void print_error(const Error& error)
{
    if (error.rounds == 0)
        std::printf(" |");
    else if (error.rounds == 1)
        std::printf(" %+.2f %% |", error.mean);
    else
        std::printf(" %+.2f ± %.2f %% (%+.2f) |", error.mean, error.standard, error.worst);
}

/// Returns the highest cost in any two seconds after the first two, in percent of the CPU time of all CPUs.
double most_of(const std::vector<double>& shares)
{
    const auto settled = static_cast<std::size_t>(kSettled * kLooks);
    double most = -HUGE_VAL;
    for (std::size_t i = settled; i + settled <= shares.size(); ++i)
        most = std::max(most, mean(&shares[i], &shares[i] + settled));
    return most;
}

double percent_of_machine(const std::string& limit)
{
    return limit.ends_with('%') ? std::atof(limit.c_str()) : HUGE_VAL;
}

/// Prints the table row of one limit, from the results of all rounds.
void print_limit_row(double rate, const std::string& limit, const std::vector<LimitResult>& rounds)
{
    const auto settled = static_cast<std::size_t>(kSettled * kLooks);
    std::vector<double> made, taken, calls, sums;
    std::vector<std::vector<double>> waits(std::size(kQuantiles));
    double most = -HUGE_VAL;
    for (const LimitResult& round : rounds) {
        if (round.shares.size() < 2 * settled)
            continue;
        made.push_back(round.made);
        taken.push_back(mean(&round.shares[settled], round.shares.data() + round.shares.size()));
        most = std::max(most, most_of(round.shares));
        for (auto& [name, errors] : {std::pair<const char*, std::vector<double>*>{"calls", &calls}, {"sum", &sums}})
            if (const auto error = round.errors.find(name); error != round.errors.end())
                errors->push_back(error->second);
        for (std::size_t i = 0; i < std::min(waits.size(), round.waits.size()); ++i)
            waits[i].push_back(round.waits[i]);
    }
    if (made.empty()) {
        std::printf("| %.0f M | the tracer did not start |\n", rate / 1e6);
        return;
    }
    std::printf("| %.0f M | %.1f M | %s | %.2f %% | %.2f %% |", rate / 1e6, error_of(made).mean / 1e6,
                limit.empty() ? "none" : limit.c_str(), error_of(taken).mean, most);
    bool totals = true, quantiles = true;
    for (const std::vector<double>* each : {&calls, &sums}) {
        print_error(error_of(*each));
        totals &= std::fabs(error_of(*each).mean) <= kTotalsAsk;
    }
    for (const std::vector<double>& each : waits) {
        print_error(error_of(each));
        quantiles &= std::fabs(error_of(each).mean) <= kWaitsAsk;
    }
    const auto word = [](bool counts_runs) { return counts_runs ? "yes" : "NO"; };
    if (calls.empty())
        std::printf(" | | |\n");
    else if (std::isinf(percent_of_machine(limit)))
        std::printf(" %s | %s | |\n", word(totals), word(quantiles));
    else
        std::printf(" %s | %s | %s |\n", word(totals), word(quantiles),
                    word(most <= kLimitAsk * percent_of_machine(limit)));
    std::fflush(stdout);
}

LimitArguments read_limit_arguments(const std::vector<std::string>& words)
{
    LimitArguments arguments;
    const std::map<std::string, std::string*> texts{
        {"--svg", &arguments.svg}, {"--rate", &arguments.only_rate}, {"--limit", &arguments.only_limit}};
    bool has_seconds = false;
    for (std::size_t i = 0; i < words.size(); ++i)
        if (const auto text = texts.find(words[i]); text != texts.end() && i + 1 < words.size())
            *text->second = words[++i];
        else if (words[i] == "--notes")
            arguments.notes = true;
        else if (!std::exchange(has_seconds, true))
            arguments.seconds = std::clamp(std::atoi(words[i].c_str()), 5, 3600);
        else
            arguments.rounds = std::clamp(std::atoi(words[i].c_str()), 1, 100);
    return arguments;
}

} // namespace

int run_limit(const std::vector<std::string>& words, const std::string& build)
{
    const LimitArguments arguments = read_limit_arguments(words);
    Plot plot{"percent of the machine that tracing takes", "%", static_cast<double>(arguments.seconds), {}};
    std::printf(
        "%d s each; of limits %d rounds: mean ± standard error (worst). Asked of the means: totals within %.0f %%, "
        "waits within %.0f %%; of the worst two seconds: %.1f times the limit. Load at begin %.1f.\n\n",
        arguments.seconds, arguments.rounds, kTotalsAsk, kWaitsAsk, kLimitAsk, load());
    std::printf(
        "| calls a second, asked | made | limit | taken after %.0f s | most in any 2 s | count() | sum() | waits: "
        "median | 90 %% | 99 %% | totals kept | waits kept | limit kept "
        "|\n|---|---|---|---|---|---|---|---|---|---|---|---|---|\n",
        kSettled);
    for (const double rate : {1e6, 5e6, 10e6}) {
        if (!arguments.only_rate.empty() && std::stod(arguments.only_rate) * 1e6 != rate)
            continue;
        for (const std::string limit : {kNoTracer, "", "1%", "5%"}) {
            if (!arguments.only_limit.empty() && limit != arguments.only_limit && limit != kNoTracer)
                continue;
            const bool is_limited = !limit.empty() && limit != kNoTracer;
            std::vector<LimitResult> rounds;
            for (int round = 0; round < (is_limited ? arguments.rounds : 1); ++round)
                rounds.push_back(storm_under(limit, rate, arguments, build));
            print_limit_row(rate, limit, rounds);
            if (is_limited)
                plot.lines.push_back(
                    {std::to_string(static_cast<int>(rate / 1e6)) + " M/s, " + limit, rounds[0].shares});
        }
    }
    if (!arguments.svg.empty())
        write_svg(arguments.svg, plot);
    return 0;
}

} // namespace dt::bench
