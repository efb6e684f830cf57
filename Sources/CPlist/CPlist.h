#ifndef PINWARDEN_CPLIST_H
#define PINWARDEN_CPLIST_H
#include <plist/plist.h>
#endif
