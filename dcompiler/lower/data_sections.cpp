// Creates data that several parts of lowering use.
#include "dcompiler/lower/data_sections.hpp"

#include <algorithm>

namespace dt::lower {

DataSections::DataSections(ModuleState& module, const Layout& layout) : module_(module), layout_(layout)
{
    state(); // first in .bss, where the session expects it
}

uint32_t DataSections::add(ir::Data data)
{
    module_.out.module.data.push_back(std::move(data));
    return static_cast<uint32_t>(module_.out.module.data.size() - 1);
}

uint32_t DataSections::once(const std::string& name, const std::function<ir::Data()>& make)
{
    const auto [found, fresh] = made_.try_emplace(name, static_cast<uint32_t>(module_.out.module.data.size()));
    if (fresh)
        add(make());
    return found->second;
}

uint32_t DataSections::state()
{
    return once("dt_state", [] { return ir::Data{"dt_state", DT_SECTION_STATE, sizeof(dt_state), 8, {}}; });
}

uint32_t DataSections::global(const Variable& variable)
{
    const std::string name = "var_" + variable.name;
    return once(name, [&] {
        const uint32_t text = layout_.string_size() + (layout_.nullable(variable) ? 8 : 0);
        return ir::Data{name,
                        DT_SECTION_STATE,
                        variable.type->is_string() ? text : align_up(layout_.storage_size(variable.type), 8),
                        8,
                        {}};
    });
}

uint32_t DataSections::shared(const std::string& name, uint32_t value)
{
    return once("shared_" + name, [&] {
        const uint32_t size = Layout::shared_stride(value) * layout_.shared_places(value);
        return ir::Data{"shared_" + name, DT_SECTION_STATE, size, 8, {}};
    });
}

uint32_t DataSections::literal(const std::string& text)
{
    const auto [found, fresh] = literals_.try_emplace(text, 0);
    if (fresh) {
        // The size is rounded up, so that whole words can be loaded.
        std::vector<uint8_t> bytes(text.begin(), text.end());
        bytes.resize(align_up(static_cast<uint32_t>(text.size()) + 1, 8), 0);
        const uint32_t size = static_cast<uint32_t>(bytes.size());
        found->second = add({"str_" + std::to_string(literals_.size() - 1), ".rodata", size, 8, std::move(bytes)});
    }
    return found->second;
}

uint32_t DataSections::zeros(uint32_t size)
{
    const uint32_t index = once("zeros", [] { return ir::Data{"zeros", ".rodata", 0, 8, {}}; });
    at(index).size = std::max(at(index).size, align_up(size, 8));
    at(index).bytes.assign(at(index).size, 0);
    return index;
}

uint32_t DataSections::dropped(uint32_t size)
{
    const uint32_t index = once("dt_dropped", [] { return ir::Data{"dt_dropped", DT_SECTION_STATE, 0, 8, {}}; });
    at(index).size = std::max(at(index).size, align_up(size, 8));
    return index;
}

uint32_t DataSections::speculations()
{
    return once("dt_specs", [this] {
        const uint32_t size =
            static_cast<uint32_t>((std::min<uint64_t>(module_.options.nspec, 1u << 20) + 1) * sizeof(dt_spec));
        return ir::Data{"dt_specs", DT_SECTION_SPEC, size, 8, std::vector<uint8_t>(size, 0)};
    });
}

uint32_t DataSections::sent()
{
    return once("dt_sent", [] {
        return ir::Data{"dt_sent", DT_SECTION_SENT, sizeof(dt_sent), 8, std::vector<uint8_t>(sizeof(dt_sent), 0)};
    });
}

uint32_t DataSections::more()
{
    return once("dt_more", [this] {
        const auto size = static_cast<uint32_t>(module_.out.schema.aggregations.size() * 8);
        return ir::Data{"dt_more", DT_SECTION_MORE, size, 8, std::vector<uint8_t>(size, 0)};
    });
}

} // namespace dt::lower
