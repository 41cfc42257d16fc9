// Location of a thread-local variable as described by a file: its offset in the file's TLS block, and the words that
// the loader fills with its location in a thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace dt {

class ForeignFiles;

struct ThreadLocal {
    enum class Filled : uint32_t {
        Offset,     ///< a word with its offset from the thread pointer
        Descriptor, ///< a function, and a word that is its argument
        Module      ///< a module number, and an offset in the module's block
    };
    struct Word {
        uint64_t address = 0; ///< link-time address of the word
        Filled how = Filled::Offset;
        uint32_t unused = 0;
    };
    bool is_defined = false;
    uint64_t offset = 0;                         ///< offset of the variable in the block, if it is defined
    uint64_t begin = 0, size = 0, alignment = 1; ///< PT_TLS block
    std::vector<Word> words;

    /// Returns whether the file defines or uses the variable.
    bool is_there() const { return is_defined || !words.empty(); }
    /// Returns the offset from the thread pointer if the file is an executable: it is the same in all of its processes.
    int64_t offset_in_executable() const;
};

/// Locates the variable with the OpenTelemetry thread context (OTEP 4947).
ThreadLocal thread_context_variable(ForeignFiles& files, const std::string& path);

} // namespace dt
