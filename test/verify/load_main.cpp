// load_programs [-x OPTION]... FILE...: compiles the D files of run tests, and lets this kernel's verifier check the
// programs. The programs are not attached.
//
// This test exists for emulated machines, on which a firing takes much longer than a verification. A program's results
// do not depend on the kernel, so only the verifier's decision is tested. Files that do not compile have other tests.
// Prints the refused programs and the number of loaded ones.
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "cmd/common/messages.hpp"
#include "cmd/common/modes.hpp"
#include "test/run/runner/features.hpp"
#include "test/run/runner/test_file.hpp"

namespace fs = std::filesystem;
using namespace dt;

namespace {

/// Returns the words of the test's command, beginning with dtrace.
std::vector<std::string> words_of(const runtest::TestFile& test, const std::string& progs,
                                  const std::vector<std::string>& settings)
{
    const std::map<std::string, std::string> values = {
        {"progs", progs}, {"file", test.path.filename().string()}, {"tmp", "/tmp"}, {"pid", std::to_string(getpid())}};
    std::vector<std::string> words{"dtrace"};
    for (const std::string& word : runtest::split_words(test.run))
        words.push_back(runtest::substitute(word, values));
    if (test.run.find("%file%") == std::string::npos)
        words.insert(words.end(), {"-s", test.path.filename().string()});
    words.insert(words.begin() + 1, settings.begin(), settings.end());
    return words;
}

/// Loads the program, and returns whether the kernel accepts it; nothing if there is no program to load.
std::optional<Result<void>> load(const std::vector<std::string>& words)
{
    std::vector<const char*> argv;
    for (const std::string& word : words)
        argv.push_back(word.c_str());
    const auto parsed = cmd::parse_arguments(argv);
    const auto* arguments = std::get_if<cmd::Arguments>(&parsed);
    Options options;
    if (!arguments || arguments->mode != cmd::Mode::Run || !cmd::apply_settings(arguments->settings, options))
        return std::nullopt;
    Session session(std::move(options));
    if (!cmd::open_processes(*arguments, session) || !session.prepare())
        return std::nullopt;
    Output output;
    Trace trace(session, session.options());
    cmd::Command command{*arguments, session, trace, output};
    if (!cmd::add_programs(command) || !cmd::finish_programs(command))
        return std::nullopt;
    const Result<void> loaded = trace.load();
    // The kernel refused the program before its verifier ran.
    if (!loaded && (loaded.error().code == EPERM || loaded.error().code == ENOTSUP))
        return std::nullopt;
    return loaded;
}

} // namespace

int main(int argc, char** argv)
{
    const std::string progs = std::getenv("PROGS") ? std::getenv("PROGS") : "";
    std::vector<std::string> settings;
    std::vector<fs::path> files;
    for (int i = 1; i < argc; i++)
        if (std::string(argv[i]) == "-x" && i + 1 < argc)
            settings.insert(settings.end(), {"-x", argv[++i]});
        else
            files.push_back(fs::absolute(argv[i]));

    int loaded = 0, status = 0;
    for (const fs::path& file : files) {
        std::string error;
        const auto test = runtest::read_test(file, error);
        if (!test || !runtest::missing_feature(test->needs).empty())
            continue; // run_test reports wrong directives and missing features
        fs::current_path(file.parent_path());
        const auto result = load(words_of(*test, progs, settings));
        loaded += result && result.value();
        if (result && !result.value()) {
            std::printf("%s: %s\n", test->name().c_str(), result.value().error().message.c_str());
            status = 1;
        }
    }
    std::printf("%d programs loaded\n", loaded);
    return status;
}
