// Which runtime object defines which function, what it needs from others, and its BTF.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "dcompiler/object/emit.hpp"

struct btf;

namespace dt {

/// The global functions an object file defines and those it leaves undefined.
struct ObjectSymbols {
    std::vector<std::string> defined, undefined;
};
Result<ObjectSymbols> read_symbols(std::span<const uint8_t> elf);

/// Looks runtime functions up by symbol. Objects are parsed when first asked about, the one named like the function
/// first.
class RuntimeIndex {
public:
    explicit RuntimeIndex(std::span<const RuntimeObject> objects);
    ~RuntimeIndex();

    /// Index of the object that defines `symbol`, or -1.
    int find(std::string_view symbol);
    const ObjectSymbols& symbols(std::size_t object);
    /// The object's BTF, or null; owned by the index.
    const struct btf* btf(std::size_t object);

private:
    struct Entry;
    std::span<const RuntimeObject> objects_;
    std::vector<std::unique_ptr<Entry>> entries_;
};

} // namespace dt
