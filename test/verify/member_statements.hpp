// Generates D statements that read a value, its members, and the members of its structures.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "dcompiler/interface/types.hpp"

namespace dt::verify {

/// Generates the statements for values of one kind of program. Records the structures, and reads the members of each
/// only once.
class MemberStatements {
public:
    /// Appends statements that read `expression`, of type `type`, and everything inside of it or directly referenced by
    /// it.
    void append(const std::string& expression, const Type* type, std::vector<std::string>& statements);

    /// Returns whether the members of the structure that `type` is, or points to, have not been read yet.
    bool is_new(const Type* type) const;

private:
    void members(const std::string& prefix, const Type* record, unsigned depth, std::vector<std::string>& statements);
    void value(const std::string& expression, const Type* type, unsigned depth, std::vector<std::string>& statements);

    std::set<std::string> read_;
};

} // namespace dt::verify
