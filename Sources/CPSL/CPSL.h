#ifndef PINWARDEN_CPSL_H
#define PINWARDEN_CPSL_H
#include <libpsl.h>

/* Whether the list names this suffix. The list's implicit rule, by which any single label is a suffix, is left out. */
static inline int pinwarden_psl_lists(const char *name) {
  const psl_ctx_t *list = psl_builtin();
  return list != NULL && psl_is_public_suffix2(list, name, PSL_TYPE_ANY | PSL_TYPE_NO_STAR_RULE);
}
#endif
