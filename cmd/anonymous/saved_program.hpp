// The program of `dtrace -A`: what was typed, word by word, with the texts of the scripts, so that it can be started
// when neither the directory that it was typed in nor the preprocessor is there.
//
// It is a directory: `arguments` has the words, each with a 0 behind it (as /proc/PID/cmdline), and 1.d, 2.d, … are the
// scripts, preprocessed. Whoever can write there has root's rights at the next boot, so that root alone may, and what
// others may write is not started.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "cmd/arguments.hpp"

namespace dt::anonymous {

struct SavedProgram {
    std::vector<std::string> words;
    std::vector<std::string> scripts; ///< texts; words name them by their numbers
};

/// `scripts`: the texts of those programs that are scripts, in order. `directory`: where it will be.
SavedProgram to_be_saved(const cmd::Arguments& arguments, std::vector<std::string> scripts,
                         const std::string& directory);

/// The former program stays until this one is complete. The error names the file.
Result<void> save_program(const SavedProgram& program, const std::string& directory);
/// The words. ENOENT: there is none.
Result<std::vector<std::string>> read_saved_words(const std::string& directory);
/// False: there was none.
Result<bool> remove_saved_program(const std::string& directory);

} // namespace dt::anonymous
