// A program in a file: as it was typed, and compiled for any number of kinds of machines
// (docs/decisions/62-bundles.md).
//
// The file is a sequence of parts: a line of text that describes the part, and its bytes. So files made on several
// machines can be joined with cat(1).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace dt {

struct Bundle {
    /// The program as given on the command line.
    struct Typed {
        std::vector<std::string> words; ///< options and arguments; scripts by their names
        /// scripts that `words` name, in order: name and text
        std::vector<std::pair<std::string, std::string>> scripts;

        bool operator==(const Typed&) const = default;
    };
    /// A compiled form of the program.
    struct Variant {
        std::string facts;  ///< compatibility key of the machines that it runs on (world/machine_facts.hpp)
        std::string packed; ///< bytes in the format of dcompiler/object/packed.hpp
    };
    Typed typed;
    std::vector<Variant> variants;
};

std::string bundle_bytes(const Bundle& bundle);

/// Parses a bundle, which may be encoded by base64(1). The error is written to follow the file's name.
Result<Bundle> read_bundle(std::string_view bytes);

} // namespace dt
