// JSON form of the types of recorded data. It contains only the part of the type graph that a value shows. Pointer
// targets are not recorded, so only their names are written; otherwise a pointer to a task would include all types of a
// kernel.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "dcompiler/sema/types.hpp"

namespace dt {

/// Writer that numbers types. A type's number is larger than those of its components.
class DescribedTypes {
public:
    int add(const Type* type) { return add(type, false); }
    nlohmann::ordered_json take() { return std::move(told_); }

private:
    int add(const Type* type, bool is_pointed_to);

    nlohmann::ordered_json told_ = nlohmann::ordered_json::array();
    std::map<std::pair<const Type*, bool>, int> numbers_;
};

/// Returns the types by number, owned by `table`. Throws std::exception if the list is not valid.
std::vector<const Type*> read_described_types(const nlohmann::ordered_json& list, TypeTable& table);

} // namespace dt
