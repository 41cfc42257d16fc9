// Module under construction: layout, and maps, data and small shared functions. Each is created at its first use, so
// that a script pays only for the parts that it uses.
#pragma once

#include "dcompiler/lower/data_sections.hpp"
#include "dcompiler/lower/functions.hpp"

namespace dt::lower {

/// Each member uses only those above it.
struct ModuleLowering : ModuleState {
    explicit ModuleLowering(ModuleState state) : ModuleState(std::move(state)) {}

    Layout layout{*this};
    DataSections data{*this, layout};
    Maps maps{*this, layout};
    Functions functions{*this, layout, data, maps};
};

} // namespace dt::lower
