// All builds of it serve: which library encrypts is nothing to who asks.
#include "libdtrace/output/curl_library.hpp"

#include <dlfcn.h>

#include <initializer_list>

namespace dt::output {
namespace {

template <typename Function> bool find_in_curl(void* library, Function& function, const char* name)
{
    function = reinterpret_cast<Function>(dlsym(library, name));
    return function != nullptr;
}

} // namespace

const CurlLibrary* curl_library()
{
    static CurlLibrary curl;
    for (const char* name : {"libcurl.so.4", "libcurl-gnutls.so.4"}) {
        void* const library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
        if (library && find_in_curl(library, curl.init, "curl_easy_init") &&
            find_in_curl(library, curl.set, "curl_easy_setopt") &&
            find_in_curl(library, curl.perform, "curl_easy_perform") &&
            find_in_curl(library, curl.get, "curl_easy_getinfo") &&
            find_in_curl(library, curl.error_text, "curl_easy_strerror") &&
            find_in_curl(library, curl.cleanup, "curl_easy_cleanup") &&
            find_in_curl(library, curl.append_header, "curl_slist_append") &&
            find_in_curl(library, curl.free_headers, "curl_slist_free_all"))
            return &curl;
    }
    return nullptr;
}

} // namespace dt::output
