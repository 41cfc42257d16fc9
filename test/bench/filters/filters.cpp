// Implements `bench filters`: measures, then writes tables and plots.
#include "test/bench/filters/filters.hpp"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "test/bench/filters/interpreted.hpp"
#include "test/bench/filters/report.hpp"
#include "test/bench/machine.hpp"
#include "test/bench/report.hpp"

namespace dt::bench::filters {

namespace {

// number of user-space rounds for each kernel round, because user-space rounds are shorter
constexpr int kUserRounds = 3;

struct Choice {
    std::filesystem::path folder; ///< folder of the written document; empty: filters/ in the build
    std::string dtrace;           ///< path of the dtrace to measure; empty: the dtrace of this build
    std::string lttng;            ///< folder with an LTTng that test/newest fetched; empty: the installed LTTng
    /// argument of --interpreted: a kernel module that contains the filters, built for this kernel; empty: none
    std::string native;
    /// file with the table of an earlier run with --interpreted, to insert into the document; empty: none
    std::string part;
    std::string json; ///< JSON file for the measured values; empty: none
    bool docs = false, check = false, user_only = false, interpreted = false;
    int rounds = 15, windows = kKernelWindows;
    /// Index of one user-space experiment: runs a single round of it, in a process that measure_user() has started.
    /// Negative: all experiments.
    int trial = -1;
    unsigned seed = 1;
};

bool read_arguments(const std::vector<std::string>& arguments, Choice& choice)
{
    for (std::size_t i = 0; i < arguments.size(); i++) {
        const bool more = i + 1 < arguments.size();
        if (arguments[i] == "--docs")
            choice.docs = true;
        else if (arguments[i] == "--user")
            choice.user_only = true;
        else if (arguments[i] == "--interpreted")
            choice.interpreted = true;
        else if (arguments[i] == "--check")
            choice.check = true;
        else if (arguments[i] == "--out" && more)
            choice.folder = arguments[++i];
        else if (arguments[i] == "--dtrace" && more)
            choice.dtrace = arguments[++i];
        else if (arguments[i] == "--lttng" && more)
            choice.lttng = arguments[++i];
        else if (arguments[i] == "--windows" && more)
            choice.windows = std::atoi(arguments[++i].c_str());
        else if (arguments[i] == "--trial" && more)
            choice.trial = std::atoi(arguments[++i].c_str());
        else if (arguments[i] == "--seed" && more)
            choice.seed = static_cast<unsigned>(std::atoi(arguments[++i].c_str()));
        else if (arguments[i] == "--native" && more)
            choice.native = arguments[++i];
        else if (arguments[i] == "--part" && more)
            choice.part = arguments[++i];
        else if (arguments[i] == "--json" && more)
            choice.json = arguments[++i];
        else if (arguments[i] == "--rounds" && more)
            choice.rounds = std::atoi(arguments[++i].c_str());
        else
            return false;
    }
    return choice.rounds > 0 && choice.windows > 0;
}

std::string contents(const std::filesystem::path& path)
{
    std::ifstream stream(path);
    return std::string(std::istreambuf_iterator<char>(stream), {});
}

bool write(const std::filesystem::path& path, const std::string& text)
{
    std::filesystem::create_directories(path.parent_path());
    std::ofstream stream(path);
    stream << text;
    stream.close();
    if (!stream)
        std::fprintf(stderr, "bench: cannot write %s\n", path.c_str());
    return static_cast<bool>(stream);
}

} // namespace

int run(const std::vector<std::string>& arguments)
{
    Choice choice;
    if (!read_arguments(arguments, choice)) {
        std::fprintf(
            stderr, "usage: bench filters [--docs | --out FOLDER] [--rounds N] [--dtrace FILE] [--user] [--interpreted "
                    "[--windows N] [--native MODULE] | --part FILE] [--lttng FOLDER] [--json FILE] [--check]\n");
        return 2;
    }
    if (choice.trial >= 0)
        return run_trial(static_cast<std::size_t>(choice.trial), choice.seed);
    const auto build = (std::filesystem::read_symlink("/proc/self/exe").parent_path() / "../..").lexically_normal();
    const std::string dtrace = choice.dtrace.empty() ? (build / "dtrace").string() : choice.dtrace;
    if (choice.check)
        return check(dtrace);
    if (choice.docs)
        choice.folder = DTRACE_BENCH_DOCS;
    else if (choice.folder.empty())
        choice.folder = build / "filters";

    const auto text = choice.folder / "filters.md";
    // Inserts into the document the table that an earlier run with --interpreted in a guest machine wrote. Measures
    // nothing.
    if (!choice.part.empty())
        return write(text, with_part(contents(text), "interpreted", contents(choice.part))) ? 0 : 1;
    if (choice.interpreted) {
        Facts machine = machine_facts(dtrace);
        machine.emplace_back("commit", commit_of(DTRACE_BENCH_DOCS));
        const std::string part = interpreted_tables(dtrace, choice.rounds, machine, choice.native,
                                                    (choice.folder / "filters").string(), choice.windows);
        std::printf("%s\n", part.c_str());
        return write(choice.folder / "interpreted.md", part) ? 0 : 1;
    }

    Measured all;
    const Others others;
    all.user = measure_user(kUserRounds * choice.rounds);
    all.lttng = measure_lttng(choice.rounds, choice.lttng);
    if (!choice.user_only && choice.lttng.empty())
        all.kernel = measure_kernel(dtrace, choice.rounds);
    all.others = others.cpus();
    all.machine = machine_facts(dtrace);
    all.machine.emplace_back("commit", commit_of(DTRACE_BENCH_DOCS));
    all.machine.emplace_back("command", command_of("./dev bench filters", arguments));
    const bool newest = !choice.lttng.empty();
    const std::string part = newest ? markdown_of_lttng(all) : markdown(all, "filters");
    bool written = write(text, with_part(contents(text), newest ? "newest" : "filters", part));
    if (!choice.json.empty())
        written &= write(choice.json, json(all));
    if (!newest)
        for (const Plot& plot : plots(all))
            written &= write(choice.folder / "filters" / (plot.file + ".svg"), svg(plot));
    std::printf("%s\n(%s)\n", part.c_str(), text.c_str());
    return written ? 0 : 1;
}

} // namespace dt::bench::filters
