#ifndef PINWARDEN_CSQLITE_H
#define PINWARDEN_CSQLITE_H
#include <sqlite3.h>

/* SQLITE_STATIC and SQLITE_TRANSIENT are casts that Swift cannot see. An empty value is not NULL, so it needs an address too. */

/* Borrowed: the bytes stay as they are until the statement is reset. */
static inline int pw_sqlite3_bind_text_borrowed(sqlite3_stmt *statement, int place, const char *bytes, sqlite3_uint64 count) {
  return sqlite3_bind_text64(statement, place, bytes ? bytes : "", count, SQLITE_STATIC, SQLITE_UTF8);
}

static inline int pw_sqlite3_bind_blob_borrowed(sqlite3_stmt *statement, int place, const void *bytes, sqlite3_uint64 count) {
  return sqlite3_bind_blob64(statement, place, bytes ? bytes : "", count, SQLITE_STATIC);
}

/* Copied: SQLite keeps bytes of its own. */
static inline int pw_sqlite3_bind_text_copied(sqlite3_stmt *statement, int place, const char *bytes, sqlite3_uint64 count) {
  return sqlite3_bind_text64(statement, place, bytes ? bytes : "", count, SQLITE_TRANSIENT, SQLITE_UTF8);
}
#endif
