// run_test: runs run tests.
//
//   run_test [OPTIONS] FILE...
//       runs tests here and prints the differences; status 0: passed, 1: failed, 77: skipped (for one file)
//   run_test [OPTIONS] --batch DIR FILE...
//       writes a result file for each test to DIR; status 0 unless results cannot be written
//   run_test --report DIR FILE
//       repeats the result for this file that a batch (in a guest, for example) wrote to DIR
//
// Options: --dtrace PATH, --progs DIR (default: from this program's build tree).
#include <linux/close_range.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <vector>

#include "test/run/runner/features.hpp"
#include "test/run/runner/judge.hpp"
#include "test/run/runner/process.hpp"
#include "test/run/runner/test_file.hpp"
#include "test/support/as_root.hpp"

namespace fs = std::filesystem;
using namespace dt::runtest;

namespace {

enum class Verdict { Pass, Fail, Skip };

struct Result {
    Verdict verdict;
    std::string text; // differences from the expected output, or the reason why the test was skipped
};

struct Setup {
    fs::path dtrace, progs, generate, can_trace, batch, report;
    std::vector<fs::path> files;
};

struct VerdictWord {
    Verdict verdict;
    const char* word;
    int status;
};

const VerdictWord words[] = {{Verdict::Pass, "ok", 0}, {Verdict::Fail, "FAILED", 1}, {Verdict::Skip, "skipped", 77}};

const VerdictWord& word_of(Verdict verdict)
{
    return words[static_cast<int>(verdict)];
}

std::string slurp(const fs::path& path)
{
    std::ifstream stream(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(stream), {});
}

fs::path temporary_folder()
{
    std::string pattern = (fs::temp_directory_path() / "run_test.XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr)
        return {};
    return pattern;
}

// Returns nothing if this kernel can trace, otherwise the reason. Checked once per process.
const std::string& tracing_refusal(const Setup& setup)
{
    static const std::string reason = [&] {
        std::string text;
        FILE* pipe = popen(("'" + setup.can_trace.string() + "'").c_str(), "r");
        for (int c; pipe != nullptr && (c = std::fgetc(pipe)) != EOF;)
            text += c == '\n' ? std::string() : std::string(1, static_cast<char>(c));
        return pipe != nullptr && pclose(pipe) == 0 ? std::string() : "this kernel cannot trace: " + text;
    }();
    return reason;
}

std::vector<std::string> command_words(const TestFile& test, const Setup& setup,
                                       const std::map<std::string, std::string>& values)
{
    if (test.script)
        return {"bash", test.path.filename().string()};
    std::vector<std::string> result{setup.dtrace.string()};
    bool names_file = test.run.find("%file%") != std::string::npos;
    for (const auto& word : split_words(test.run))
        result.push_back(substitute(word, values));
    if (!names_file)
        result.insert(result.end(), {"-s", test.path.filename().string()});
    return result;
}

/// Links dtrace and the test programs into a folder whose path has no blanks, because dtrace splits the command of -c
/// at blanks.
void link_programs(Setup& setup, const fs::path& folder)
{
    for (fs::path* program : {&setup.dtrace, &setup.progs, &setup.generate}) {
        const fs::path link = folder / program->filename();
        fs::create_symlink(*program, link);
        *program = link;
    }
}

Result execute(const TestFile& test, Setup setup, const fs::path& folder)
{
    link_programs(setup, folder);
    bool guest = std::getenv("DTRACE_GUEST") != nullptr;
    int timeout = test.timeout_s * (guest ? 8 : 4); // a generous limit, meant only to end tests that hang
    std::map<std::string, std::string> values = {
        {"progs", setup.progs.string()}, {"file", test.path.filename().string()}, {"tmp", (folder / "tmp").string()}};
    Command command{{}, {}, test.path.parent_path(), folder / "out", folder / "err"};
    fs::create_directory(folder / "tmp");

    pid_t trigger = 0;
    if (!test.trigger.empty()) {
        Command side{{}, {}, command.directory, folder / "trigger.out", folder / "trigger.err"};
        for (const auto& word : split_words(test.trigger))
            side.words.push_back(substitute(word, values));
        trigger = start(side);
        values["pid"] = std::to_string(trigger);
    }

    command.words = command_words(test, setup, values);
    command.env = {"DTRACE_REPRODUCIBLE=1",
                   "DTRACE_CHECK_FIRINGS=1",
                   "TZ=UTC",
                   "LC_ALL=C",
                   "DTRACE=" + setup.dtrace.string(),
                   "PROGS=" + setup.progs.string(),
                   "GENERATE=" + setup.generate.string(),
                   "TMP=" + (folder / "tmp").string()};
    for (const auto& entry : test.env)
        command.env.push_back(substitute(entry, values));
    Ended ended = wait_for(start(command), timeout);
    if (trigger > 0)
        end_group(trigger);
    end_descendants(); // also ends services and load programs that the test started in other process groups

    Observed observed{ended.status, slurp(command.out), slurp(command.err)};
    if (test.script && observed.status == 77)
        return observed.out.empty() ? Result{Verdict::Fail, "skipped without a reason\n" + observed.err}
                                    : Result{Verdict::Skip, observed.out};
    auto text = judge(test, observed);
    if (ended.timed_out)
        text = "not finished after " + std::to_string(timeout) + " s\n" + text;
    return {text.empty() ? Verdict::Pass : Verdict::Fail, text};
}

Result run_file(const fs::path& path, const Setup& setup)
{
    std::string error;
    auto test = read_test(fs::absolute(path), error);
    if (!test)
        return {Verdict::Fail, error + "\n"};
    for (const auto& need : test->needs) {
        if (!known_feature(need))
            return {Verdict::Fail, "unknown feature in needs: " + need + "\n"};
    }
    if (auto reason = missing_feature(test->needs); !reason.empty())
        return {Verdict::Skip, reason + "\n"};
    if (const auto& reason = tracing_refusal(setup); !reason.empty())
        return {Verdict::Skip, reason + "\n"};

    auto folder = temporary_folder();
    if (folder.empty())
        return {Verdict::Fail, "cannot create a temporary folder\n"};
    auto result = execute(*test, setup, folder);
    std::error_code ignored;
    fs::remove_all(folder, ignored);
    return result;
}

fs::path result_file(const fs::path& folder, const fs::path& test)
{
    return folder / (test.filename().string() + ".result");
}

int run_here(const Setup& setup)
{
    int status = 0;
    for (const auto& path : setup.files) {
        auto result = run_file(path, setup);
        std::cout << word_of(result.verdict).word << ": " << path.stem().string() << "\n" << result.text;
        bool only = setup.files.size() == 1;
        if (result.verdict == Verdict::Fail || only)
            status = std::max(status, word_of(result.verdict).status);
    }
    return status;
}

bool write_result(const Setup& setup, const fs::path& path, const Result& result)
{
    std::ofstream stream(result_file(setup.batch, path));
    stream << word_of(result.verdict).status << "\n" << result.text;
    return static_cast<bool>(stream.flush());
}

int run_batch(const Setup& setup)
{
    auto begin = std::chrono::steady_clock::now();
    std::size_t failed = 0;
    for (const auto& path : setup.files) {
        auto result = run_file(path, setup);
        std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
        std::printf("%7.1f s  %-7s %s\n", taken.count(), word_of(result.verdict).word, path.stem().c_str());
        std::fflush(stdout);
        failed += result.verdict == Verdict::Fail;
        if (!write_result(setup, path, result))
            return 2;
    }
    std::printf("%zu tests, %zu failed\n", setup.files.size(), failed);
    return 0;
}

int repeat_result(const Setup& setup)
{
    std::ifstream stream(result_file(setup.report, setup.files.at(0)));
    int status = 1;
    if (!(stream >> status)) {
        if (fs::exists(setup.report / "unavailable")) {
            std::cout << "left out: the guest's kernel is not available\n";
            return word_of(Verdict::Skip).status;
        }
        std::cout << "the guest left no result for this test\n";
        return 1;
    }
    stream.get();
    std::cout << std::string(std::istreambuf_iterator<char>(stream), {});
    return status;
}

} // namespace

int main(int argc, char** argv)
{
    // Does not pass on files that the parent process (ctest, for instance) has left open: the tests' programs expect 3
    // as their lowest free descriptor.
    close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
    adopt_orphans();
    // finds build/release from the folder build/release/test/run of this program
    auto build = fs::read_symlink("/proc/self/exe").parent_path() / "../..";
    build = build.lexically_normal();
    Setup setup{
        build / "dtrace", build / "test/progs", build / "test/verify/generate_d", build / "can_trace", {}, {}, {}};
    const std::map<std::string, fs::path*> options = {
        {"--dtrace", &setup.dtrace}, {"--progs", &setup.progs}, {"--batch", &setup.batch}, {"--report", &setup.report}};
    for (int i = 1; i < argc; i++) {
        auto option = options.find(argv[i]);
        if (option == options.end())
            setup.files.emplace_back(argv[i]);
        else if (i + 1 < argc)
            *option->second = fs::absolute(argv[++i]);
    }
    if (setup.files.empty()) {
        std::cerr << "usage: run_test [--dtrace PATH] [--progs DIR] [--batch DIR | --report DIR] FILE...\n";
        return 2;
    }
    if (!setup.report.empty())
        return repeat_result(setup);
    dt::test::become_root(argv);
    return setup.batch.empty() ? run_here(setup) : run_batch(setup);
}
