// The module under construction: where things lie, and maps, data and small shared functions, each made the first time
// something asks for it, so that a script pays only for what it uses.
#pragma once

#include "dcompiler/lower/data_sections.hpp"
#include "dcompiler/lower/functions.hpp"

namespace dt::lower {

/// Each part uses those above it.
struct ModuleLowering : ModuleState {
    explicit ModuleLowering(ModuleState state) : ModuleState(std::move(state)) {}

    Layout layout{*this};
    DataSections data{*this, layout};
    Maps maps{*this, layout};
    Functions functions{*this, layout, data, maps};
};

} // namespace dt::lower
