// Functions of a library that is opened when it is wanted, and may not be there.
#pragma once

#include <dlfcn.h>

namespace dt {

/// Of a library that dlopen() opened. False: it has none of that name.
template <typename Function> bool find_function(void* library, Function& function, const char* name)
{
    function = reinterpret_cast<Function>(dlsym(library, name));
    return function != nullptr;
}

} // namespace dt
