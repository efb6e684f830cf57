#ifndef PINWARDEN_CCARES_H
#define PINWARDEN_CCARES_H
#include <ares.h>
#endif
