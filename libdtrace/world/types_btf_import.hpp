// Importer of BTF types into the type graph.
#pragma once

#include <unordered_map>

#include "dcompiler/sema/types.hpp"
#include "probes/btf_file.hpp"

namespace dt {

/// Makes the type nodes for one file in one table, each once. A module's file extends the core kernel's file, whose
/// types are made by `base`. Struct members are added on demand, so the file and the importer must outlive the table.
class BtfImporter {
public:
    BtfImporter(probes::BtfFile& file, TypeTable& table, BtfImporter* base) : file_(file), table_(table), base_(base) {}

    /// Returns the node of a type, or void for an invalid id or an endless chain.
    const Type* import(uint32_t id);

    /// Returns a function type without its first parameter, or null if the type is not a function or has no parameters.
    const Type* import_without_first_parameter(uint32_t id);

private:
    std::string name(uint32_t offset) const { return std::string(file_.name(offset)); }
    const Type* make(uint32_t id, const btf_type* type);
    const Type* make_number(const btf_type* type);
    const Type* make_pointer(const btf_type* type);
    const Type* make_record(uint32_t id, const btf_type* type);
    const Type* make_enum(uint32_t id, const btf_type* type);
    const Type* make_function(uint32_t id, const btf_type* type);

    probes::BtfFile& file_;
    TypeTable& table_;
    BtfImporter* base_;
    std::unordered_map<uint32_t, const Type*> nodes_, shortened_;
    unsigned depth_ = 0;
};

} // namespace dt
