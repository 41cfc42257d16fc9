// Opens any build of libcurl, whichever TLS library that build uses.
#include "libdtrace/output/curl_library.hpp"

#include <initializer_list>

#include "base/linkage.hpp"

namespace dt::output {

const CurlLibrary* curl_library()
{
    static CurlLibrary curl;
    for (const char* name : {"libcurl.so.4", "libcurl-gnutls.so.4"}) {
        void* const library = open_library(name);
        if (library && find_function(library, curl.init, "curl_easy_init") &&
            find_function(library, curl.set, "curl_easy_setopt") &&
            find_function(library, curl.perform, "curl_easy_perform") &&
            find_function(library, curl.get, "curl_easy_getinfo") &&
            find_function(library, curl.error_text, "curl_easy_strerror") &&
            find_function(library, curl.cleanup, "curl_easy_cleanup") &&
            find_function(library, curl.append_header, "curl_slist_append") &&
            find_function(library, curl.free_headers, "curl_slist_free_all"))
            return &curl;
    }
    return nullptr;
}

} // namespace dt::output
