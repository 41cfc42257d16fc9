// Generates D statements that read a value, its members, and the members of its structures.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "dcompiler/interface/types.hpp"

namespace dt::verify {

/// Generates the statements for values of one kind of program. Remembers the structures, so that the members of each
/// are read only once.
class MemberStatements {
public:
    /// Appends statements that read `expression`, which has the type `type`, everything inside of it, and everything to
    /// which it points directly.
    void append(const std::string& expression, const Type* type, std::vector<std::string>& statements);

    /// Returns whether the members of a structure have not been read yet. `type` is the structure or a pointer to it.
    bool is_new(const Type* type) const;

private:
    void members(const std::string& prefix, const Type* record, unsigned depth, std::vector<std::string>& statements);
    void value(const std::string& expression, const Type* type, unsigned depth, std::vector<std::string>& statements);

    std::set<std::string> read_;
};

} // namespace dt::verify
