// libkdumpfile, which reads kernel dumps. It is opened at run time, so that only --postmortem needs it.
#pragma once

#include <libkdumpfile/kdumpfile.h>

namespace dt::postmortem {

/// Functions of libkdumpfile, with the types from its header.
struct KdumpLibrary {
    decltype(&kdump_new) make = nullptr;
    decltype(&kdump_free) free = nullptr;
    decltype(&kdump_get_err) error_text = nullptr;
    decltype(&kdump_open_fdset) open = nullptr;
    decltype(&kdump_set_attr) set = nullptr;
    decltype(&kdump_get_typed_attr) get = nullptr;
    decltype(&kdump_read) read = nullptr;
    decltype(&kdump_vmcoreinfo_symbol) symbol = nullptr;
};

/// Returns the functions, or null if the library is not installed.
const KdumpLibrary* kdump_library();

} // namespace dt::postmortem
