#ifndef PINWARDEN_CLINUX_H
#define PINWARDEN_CLINUX_H
// Linux calls that the Glibc module of Swift does not show. No _GNU_SOURCE here: it would change `fd_set`.
#include <sys/epoll.h>
#include <sys/eventfd.h>
#endif
