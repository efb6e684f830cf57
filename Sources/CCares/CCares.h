#ifndef PINWARDEN_CCARES_H
#define PINWARDEN_CCARES_H
// Before ares.h, so that the socket types belong to CLinux whichever module is loaded first.
#include "../CLinux/CLinux.h"
#include <ares.h>
#endif
