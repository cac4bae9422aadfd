#pragma once

// Declarations only: libcurl is loaded when the first request is made, not
// linked. One binary then runs with and without it, starts as fast as before,
// and uses the certificates and the fixes of the system it runs on.
#include <curl/curl.h>
#include <dlfcn.h>
#include <stddef.h>

/// The functions of libcurl, by the names that they have without "curl_".
///
/// They can be called from any thread.
typedef struct __attribute__((swift_attr("@Sendable"))) ccurl_library {
  CURL *(*easy_init)(void);
  void (*easy_cleanup)(CURL *);
  CURLcode (*easy_perform)(CURL *);
  const char *(*easy_strerror)(CURLcode);
  // Variadic, which Swift can't import.
  CURLcode (*easy_setopt)(CURL *, CURLoption, ...);
  CURLcode (*easy_getinfo)(CURL *, CURLINFO, ...);
  struct curl_slist *(*slist_append)(struct curl_slist *, const char *);
  void (*slist_free_all)(struct curl_slist *);
  curl_version_info_data *(*version_info)(CURLversion);
} ccurl_library;

/// Loads libcurl, and prepares it for use; to be called once.
///
/// Returns NULL, or why it can't be used: text that the next call of a function
/// of this kind may overwrite.
static inline const char *ccurl_load(ccurl_library *library) {
#ifdef __APPLE__
  void *handle = dlopen("libcurl.4.dylib", RTLD_NOW | RTLD_LOCAL);
#else
  void *handle = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
#endif
  if (!handle) return dlerror();
  CURLcode (*global_init)(long) = (CURLcode (*)(long))dlsym(handle, "curl_global_init");
#define CCURL_FIND(name) \
  if (!(*(void **)&library->name = dlsym(handle, "curl_" #name))) return "curl_" #name " is missing"
  CCURL_FIND(easy_init);
  CCURL_FIND(easy_cleanup);
  CCURL_FIND(easy_perform);
  CCURL_FIND(easy_strerror);
  CCURL_FIND(easy_setopt);
  CCURL_FIND(easy_getinfo);
  CCURL_FIND(slist_append);
  CCURL_FIND(slist_free_all);
  CCURL_FIND(version_info);
#undef CCURL_FIND
  if (!global_init || global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) return "it could not be initialized";
  return NULL;
}

/// Sets an option whose value is a number.
static inline CURLcode ccurl_set_number(
    const ccurl_library *library, CURL *handle, CURLoption option, long value) {
  return library->easy_setopt(handle, option, value);
}

/// Sets an option whose value is text, which is copied, or another pointer, which is kept.
static inline CURLcode ccurl_set_pointer(
    const ccurl_library *library, CURL *handle, CURLoption option, const void *value) {
  return library->easy_setopt(handle, option, value);
}

/// Sets an option whose value is a function that takes bytes, of the head or of the body.
static inline CURLcode ccurl_set_receiver(
    const ccurl_library *library, CURL *handle, CURLoption option,
    size_t (*receive)(char *bytes, size_t size, size_t count, void *context)) {
  return library->easy_setopt(handle, option, receive);
}

/// Sets the authorities that are trusted: certificates in PEM, which are copied.
///
/// libcurl before 7.77 does not know the option.
static inline CURLcode ccurl_set_authorities(
    const ccurl_library *library, CURL *handle, const void *bytes, size_t count) {
#if LIBCURL_VERSION_NUM >= 0x074D00
  struct curl_blob blob = {(void *)bytes, count, CURL_BLOB_COPY};
  return library->easy_setopt(handle, CURLOPT_CAINFO_BLOB, &blob);
#else
  return CURLE_UNKNOWN_OPTION;
#endif
}

/// The file with the authorities that libcurl trusts by itself, or NULL.
static inline const char *ccurl_default_authorities(const ccurl_library *library) {
  const curl_version_info_data *data = library->version_info(CURLVERSION_NOW);
  return data && data->age >= CURLVERSION_SEVENTH ? data->cainfo : NULL;
}

/// A value of a transfer as a number; 0 if it isn't known.
static inline long ccurl_number(const ccurl_library *library, CURL *handle, CURLINFO info) {
  long value = 0;
  return library->easy_getinfo(handle, info, &value) == CURLE_OK ? value : 0;
}

/// The certificates of the server, or NULL.
static inline const struct curl_certinfo *ccurl_certificates(const ccurl_library *library, CURL *handle) {
  struct curl_certinfo *certificates = NULL;
  return library->easy_getinfo(handle, CURLINFO_CERTINFO, &certificates) == CURLE_OK ? certificates : NULL;
}
