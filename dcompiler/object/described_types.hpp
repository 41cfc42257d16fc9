// The types of recorded data as JSON: as much of the graph as a value shows. What a pointer points to is not recorded,
// so only its name is told, and the graph ends there: else a pointer to a task would bring all types of a kernel.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "dcompiler/sema/types.hpp"

namespace dt {

/// Each has a number, which is larger than those of all that it is made of.
class DescribedTypes {
public:
    int add(const Type* type) { return add(type, false); }
    nlohmann::ordered_json take() { return std::move(told_); }

private:
    int add(const Type* type, bool is_pointed_to);

    nlohmann::ordered_json told_ = nlohmann::ordered_json::array();
    std::map<std::pair<const Type*, bool>, int> numbers_;
};

/// By number, owned by `table`. Throws std::exception where it is no such list.
std::vector<const Type*> read_described_types(const nlohmann::ordered_json& list, TypeTable& table);

} // namespace dt
