// A run test: one file with directives in its head comment, expected output beside it.
//
// A `.d` file carries them in /*@ … */, one `name: value` a line; a `.sh` file in lines that begin with `#@`. Unknown
// names are errors, so that a typing error cannot silently switch a check off.
//
//   what:     one line, what the test shows
//   needs:    words of features.cpp; a missing one skips the test with a reason
//   run:      arguments of dtrace (default -qs %file%; without %file% in them, -s FILE is appended)
//   lost:     causes of the ledger (libdtrace/consume/causes.def) that the test takes away, and finds under their names
//   env:      NAME=VALUE…, for dtrace and what it starts
//   trigger:  a command started before dtrace and ended after it; its pid is %pid%
//   expect:   exact (the .out file; default when there is one), regex (each line of the .re file matches a line, in
//   that order), status status:   exit status (default 0) stderr:   exact or contains (default: exact for status 0);
//   compared with the .err file, without which only "matched" lines are allowed timeout:  seconds on a machine that has
//   nothing else to do (default 30); it is ended after four times as many, in a guest eight
//
// %progs% is the folder of the trigger programs, %tmp% a fresh folder that disappears afterwards. The working directory
// is the folder of the test, so that messages name the file without a path.
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
    bool script = false; // .sh: run by bash instead of dtrace
    std::string what;
    std::vector<std::string> needs, lost, env;
    std::string run, trigger;
    Expect expect = Expect::Status;
    int status = 0;
    bool stderr_contains = false;
    int timeout_s = 30;

    std::string name() const { return path.stem().string(); }
    /// The file beside the test with this extension, whole; nothing when there is none.
    std::optional<std::string> beside(const char* extension) const;
};

/// Reads the directives. On a mistake in them returns nothing and says in `error` what it is.
std::optional<TestFile> read_test(const std::filesystem::path& path, std::string& error);

/// Splits a line into words as a shell does, as far as ' ' " and backslash go.
std::vector<std::string> split_words(const std::string& line);

/// Replaces each %name% that `values` knows.
std::string substitute(std::string text, const std::map<std::string, std::string>& values);

} // namespace dt::runtest
