// Compares the outcome of a run with the expected exit status, standard output and standard error.
#include "test/run/runner/judge.hpp"

#include <regex>
#include <sstream>
#include <vector>

namespace dt::runtest {

namespace {

std::vector<std::string> lines_of(const std::string& text)
{
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);)
        lines.push_back(line);
    return lines;
}

std::string with_newline(const std::string& text)
{
    return text.empty() || text.back() != '\n' ? text + "\n" : text;
}

// Reports the first line that differs, followed by the complete expected and actual texts, which are short in tests.
std::string compare_exact(const char* stream, const std::string& expected, const std::string& actual)
{
    if (expected == actual)
        return {};
    auto want = lines_of(expected), got = lines_of(actual);
    std::size_t at = 0;
    while (at < want.size() && at < got.size() && want[at] == got[at])
        at++;
    std::ostringstream text;
    text << stream << " differs, first in line " << at + 1 << "\n";
    text << "  expected: " << (at < want.size() ? "|" + want[at] + "|" : "(end)") << "\n";
    text << "  actual:   " << (at < got.size() ? "|" + got[at] + "|" : "(end)") << "\n";
    text << "--- expected " << stream << "\n"
         << with_newline(expected) << "--- actual " << stream << "\n"
         << with_newline(actual);
    return text.str();
}

// Checks that the expected lines occur in the given order; other lines may be between them. `match` compares an
// expected line with an actual one.
template <typename Match>
std::string compare_in_order(const char* stream, const std::string& expected, const std::string& actual, Match match)
{
    auto got = lines_of(actual);
    std::size_t at = 0;
    for (const auto& want : lines_of(expected)) {
        while (at < got.size() && !match(want, got[at]))
            at++;
        if (at++ >= got.size())
            return std::string("no line of ") + stream + " (after the previously matched lines) matches\n  " + want +
                   "\n--- actual " + stream + "\n" + with_newline(actual);
    }
    return {};
}

std::string compare_regex(const std::string& expected, const std::string& actual)
{
    return compare_in_order("stdout", expected, actual, [](const std::string& want, const std::string& got) {
        return std::regex_match(got, std::regex(want, std::regex::extended));
    });
}

// Removes offsets of BPF instructions from the text, because every improvement of the compiler changes them.
std::string without_offsets(const std::string& text)
{
    static const std::regex offset(" at BPF pc [0-9]+");
    return std::regex_replace(text, offset, "");
}

// Removes ids of system-call probes, because they depend on the machine's system-call numbers.
std::string without_call_ids(const std::string& text)
{
    static const std::regex id("probe ID [0-9]+ \\(syscall:");
    return std::regex_replace(text, id, "probe ID N (syscall:");
}

// If the test has no .err file, stderr may contain only the lines that every run without -q prints.
std::string only_matched_lines(const std::string& err)
{
    static const std::regex matched("dtrace: (script|description) '.*' matched [0-9]+ probes?");
    for (const auto& line : lines_of(err)) {
        if (!std::regex_match(line, matched))
            return "unexpected line on stderr: " + line + "\n";
    }
    return {};
}

std::string judge_stderr(const TestFile& test, const std::string& actual)
{
    auto expected = test.beside(".err");
    if (!expected)
        return test.expect == Expect::Status ? std::string() : only_matched_lines(actual);
    if (test.stderr_contains)
        return compare_in_order("stderr", *expected, actual,
                                [](const std::string& want, const std::string& got) { return want == got; });
    return compare_exact("stderr", *expected, actual);
}

std::string judge_stdout(const TestFile& test, const std::string& actual)
{
    if (test.expect == Expect::Status)
        return {};
    bool exact = test.expect == Expect::Exact;
    auto expected = test.beside(exact ? ".out" : ".re");
    if (!expected)
        return std::string("the file with the expected output (") + (exact ? ".out" : ".re") + ") is missing\n";
    return exact ? compare_exact("stdout", *expected, actual) : compare_regex(*expected, actual);
}

} // namespace

std::string judge(const TestFile& test, Observed observed)
{
    observed.err = without_call_ids(without_offsets(observed.err));
    std::string text;
    if (observed.status != test.status)
        text += "exit status " + std::to_string(observed.status) + ", expected " + std::to_string(test.status) + "\n";
    text += judge_stdout(test, observed.out);
    text += judge_stderr(test, observed.err);
    if (!text.empty() && !observed.err.empty() && text.find("--- actual stderr") == std::string::npos)
        text += "--- stderr\n" + with_newline(observed.err);
    if (!text.empty() && !observed.out.empty() && text.find("--- actual stdout") == std::string::npos)
        text += "--- stdout\n" + with_newline(observed.out);
    return text;
}

} // namespace dt::runtest
