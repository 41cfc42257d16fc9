// A program in a file: as it was typed, and compiled, for as many kinds of machines as somebody wants
// (docs/decisions/62-bundles.md).
//
// The file is a row of parts, each a line of text that says what follows, and bytes. So files that were made on several
// machines, put one behind the other by cat(1), are one bundle.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace dt {

struct Bundle {
    /// As the command line had it.
    struct Typed {
        std::vector<std::string> words;                           ///< options and arguments; scripts by their names
        std::vector<std::pair<std::string, std::string>> scripts; ///< those that `words` name, in order: name and text

        bool operator==(const Typed&) const = default;
    };
    /// Compiled.
    struct Variant {
        std::string facts;  ///< of the machines that it runs on (world/machine_facts.hpp)
        std::string packed; ///< dcompiler/object/packed.hpp
    };
    Typed typed;
    std::vector<Variant> variants;
};

std::string bundle_bytes(const Bundle& bundle);

/// Also of bytes that were made letters by base64(1). The error is complete but for the name of the file, which it
/// follows.
Result<Bundle> read_bundle(std::string_view bytes);

} // namespace dt
