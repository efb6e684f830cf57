#ifndef PINWARDEN_CIDN2_H
#define PINWARDEN_CIDN2_H
#include <idn2.h>
#include <stddef.h>
#include <stdint.h>

/* The A-label form of a NUL-terminated UTF-8 name by UTS 46, non-transitional; NULL on failure, with libidn2's code in `code`.
 * The caller frees it with pinwarden_idn2_free. */
static inline char *pinwarden_idn2_ascii(const char *name, int *code) {
  uint8_t *ascii = NULL;
  *code = idn2_lookup_u8((const uint8_t *)name, &ascii, IDN2_NFC_INPUT | IDN2_NONTRANSITIONAL);
  if (*code == IDN2_OK) return (char *)ascii;
  idn2_free(ascii);
  return NULL;
}

static inline void pinwarden_idn2_free(char *name) { idn2_free(name); }
#endif
