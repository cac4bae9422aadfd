#pragma once

#include <sqlite3.h>

/// Binds a text, which SQLite copies.
///
/// `SQLITE_TRANSIENT` is a cast, which Swift can't import.
static inline int csqlite_bindText(
  sqlite3_stmt *statement, int index, const void *text, sqlite3_uint64 count
) {
  return sqlite3_bind_text64(statement, index, text, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

/// Binds bytes, which SQLite copies; without any, they are an empty blob rather than NULL.
static inline int csqlite_bindBlob(
  sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count
) {
  return count > 0 ? sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_TRANSIENT)
                   : sqlite3_bind_zeroblob(statement, index, 0);
}
