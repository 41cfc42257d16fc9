// Data of the object, by index in its module, each made when it is first used.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "dcompiler/lower/layout.hpp"

namespace dt::lower {

class DataSections {
public:
    DataSections(ModuleState& module, const Layout& layout);

    uint32_t add(ir::Data data);
    /// What is there once: `make` is asked for it the first time.
    uint32_t once(const std::string& name, const std::function<ir::Data()>& make);
    const ir::Data& at(uint32_t data) const { return module_.out.module.data[data]; }
    ir::Data& at(uint32_t data) { return module_.out.module.data[data]; }

    uint32_t state();
    uint32_t global(const Variable& variable);                ///< with a mark in front of the text, if it may be NULL
    uint32_t shared(const std::string& name, uint32_t value); ///< -x share: elements with so many bytes of value
    uint32_t literal(const std::string& text);                ///< with its NUL, in .rodata
    uint32_t zeros(uint32_t size);                            ///< at least `size` zero bytes in .rodata
    uint32_t dropped(uint32_t size);                          ///< at least `size` bytes for what found no room
    uint32_t speculations();                                  ///< struct dt_spec, options.nspec of them
    uint32_t more();                                          ///< keys in overflow maps, by aggregation id
    uint32_t sent();                                          ///< struct dt_sent

private:
    ModuleState& module_;
    const Layout& layout_;
    std::map<std::string, uint32_t> made_, literals_;
};

} // namespace dt::lower
