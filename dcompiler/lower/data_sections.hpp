// Data sections of the object, by index in the module. Each section is created at its first use.
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
    /// Returns the data of that name; `make` creates it at the first call.
    uint32_t once(const std::string& name, const std::function<ir::Data()>& make);
    const ir::Data& at(uint32_t data) const { return module_.out.module.data[data]; }
    ir::Data& at(uint32_t data) { return module_.out.module.data[data]; }

    uint32_t state();
    uint32_t global(const Variable& variable); ///< a string that may be NULL has a presence word before its text
    uint32_t shared(const std::string& name, uint32_t value); ///< -x share: elements with `value` bytes each
    uint32_t literal(const std::string& text);                ///< includes the NUL, in .rodata
    uint32_t zeros(uint32_t size);                            ///< at least `size` zero bytes in .rodata
    uint32_t dropped(uint32_t size);                          ///< at least `size` bytes that receive dropped values
    uint32_t speculations();                                  ///< options.nspec times struct dt_spec
    uint32_t more();                                          ///< number of keys in overflow maps, by aggregation id
    uint32_t sent();                                          ///< struct dt_sent

private:
    ModuleState& module_;
    const Layout& layout_;
    std::map<std::string, uint32_t> made_, literals_;
};

} // namespace dt::lower
