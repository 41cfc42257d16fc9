// A run test: one file with directives in its head comment, and the expected output in a file of the same name.
//
// A `.d` file has its directives in /*@ … */, one `name: value` per line; a `.sh` file in lines that begin with `#@`.
// Unknown names are errors, so that a typing error cannot silently disable a check.
//
//   what:     description of the test in one line
//   needs:    words of features.cpp; if one is missing, the test is skipped with its reason
//   run:      arguments of dtrace (default -qs %file%; without %file%, -s FILE is appended)
//   lost:     drop reasons (libdtrace/losses/drop_reasons.def) that the test provokes and expects by name
//   env:      NAME=VALUE…, for dtrace and its children
//   trigger:  a command started before dtrace and ended after it; its process id is %pid%
//   expect:   exact (the .out file; default if it exists), regex (each line of the .re file matches a line, in this
//             order), or status
//   status:   exit status (default 0)
//   stderr:   exact or contains (default: exact for status 0), compared with the .err file; without that file only
//             "matched" lines are allowed
//   timeout:  seconds on an otherwise idle machine (default 30); the test is ended after four times as many, or eight
//             times in a guest
//
// In directives, %progs% stands for the folder of the trigger programs, and %tmp% for a new folder that is removed
// afterwards. The working directory is the folder of the test, so that messages name the file without a path.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace dt::runtest {

enum class Expect { Exact, Regex, Status };

struct TestFile {
    std::filesystem::path path;
    bool script = false; // whether the test is a .sh file, which bash runs instead of dtrace
    std::string what;
    std::vector<std::string> needs, lost, env;
    std::string run, trigger;
    Expect expect = Expect::Status;
    int status = 0;
    bool stderr_contains = false;
    int timeout_s = 30;

    std::string name() const { return path.stem().string(); }
    /// Returns the contents of the file with the test's name and this extension, or nothing if it does not exist.
    std::optional<std::string> beside(const char* extension) const;
};

/// Reads the directives. If they are wrong, returns nothing and sets `error` to the reason.
std::optional<TestFile> read_test(const std::filesystem::path& path, std::string& error);

/// Splits a line into words like a shell, with ' ' " and backslash as the only special characters.
std::vector<std::string> split_words(const std::string& line);

/// Replaces each %name% by its value in `values`. Other names stay unchanged.
std::string substitute(std::string text, const std::map<std::string, std::string>& values);

} // namespace dt::runtest
