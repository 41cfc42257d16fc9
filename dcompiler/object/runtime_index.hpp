// Index of the runtime objects: the functions that each defines and needs, and its BTF.
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

/// Global functions that an object file defines, and undefined ones.
struct ObjectSymbols {
    std::vector<std::string> defined, undefined;
};
Result<ObjectSymbols> read_symbols(std::span<const uint8_t> elf);

/// Finds runtime functions by symbol. Objects are parsed on demand; the one with the function's name is tried first.
class RuntimeIndex {
public:
    explicit RuntimeIndex(std::span<const RuntimeObject> objects);
    ~RuntimeIndex();

    /// Returns the index of the object that defines `symbol`, or -1.
    int find(std::string_view symbol);
    const ObjectSymbols& symbols(std::size_t object);
    /// Returns the object's BTF, or null; owned by the index.
    const struct btf* btf(std::size_t object);

private:
    struct Entry;
    std::span<const RuntimeObject> objects_;
    std::vector<std::unique_ptr<Entry>> entries_;
};

} // namespace dt
