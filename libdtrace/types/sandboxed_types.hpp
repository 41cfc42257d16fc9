// Types of a traced program's file. A sandboxed reader (untrusted_files.hpp) reads them and sends them in serialised
// form (type_transfer.hpp).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "libdtrace/mappings/mapped_files.hpp"
#include "libdtrace/sandbox/untrusted_files.hpp"
#include "libdtrace/types/file_types.hpp"
#include "libdtrace/types/type_transfer.hpp"

namespace dt {

class SandboxedTypes final : public TypesOfFile,
                             public TypeSource,
                             public std::enable_shared_from_this<SandboxedTypes> {
public:
    /// The file stays open, so that a restarted reader can read it again.
    SandboxedTypes(std::shared_ptr<UntrustedFiles> untrusted, const std::string& path);

    const Type* find(TypeTable& table, TypeNamespace space, std::string_view name) override;
    const Type* find(TypeTable& table, TypeNamespace space, std::string_view name, std::string_view) override
    {
        return find(table, space, name);
    }
    std::string problem() override;
    std::string problem(std::string_view) override { return problem(); }
    probes::ProcessView::Prototype prototype(uint64_t place, const std::string& function,
                                             probes::ProcessView::Calls calls) override;
    probes::ProcessView::Variables variables(uint64_t place, const std::string& name) override;

private:
    PackedWriter request() const;
    std::string query(ReadFunction function, const PackedWriter& question);
    ReceivedTypes& received(TypeTable& table);
    probes::ProcessView::Value value(PackedReader& in, uint64_t word_size);

    const std::shared_ptr<UntrustedFiles> untrusted_;
    const OpenFile file_;
    const std::string identity_, named_;
    std::string problem_;
    bool is_asked_ = false;
};

} // namespace dt
