#ifndef PINWARDEN_CLINUX_H
#define PINWARDEN_CLINUX_H
// Linux calls that the Glibc module of Swift does not show. No _GNU_SOURCE here: it would change `fd_set`.
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

// `struct epoll_event` is packed on x86-64 and its data is a union, so neither is touched from Swift.

static inline int clinux_epoll_control(int epoll, int operation, int fd, uint32_t events, uint64_t data) {
  struct epoll_event event;
  memset(&event, 0, sizeof event);
  event.events = events;
  event.data.u64 = data;
  return epoll_ctl(epoll, operation, fd, &event);
}

static inline int clinux_epoll_wait(int epoll, void *events, int capacity, int milliseconds) {
  return epoll_wait(epoll, (struct epoll_event *)events, capacity, milliseconds);
}

static inline size_t clinux_epoll_event_size(void) {
  return sizeof(struct epoll_event);
}

static inline uint32_t clinux_epoll_events(const void *events, int index) {
  return ((const struct epoll_event *)events)[index].events;
}

static inline uint64_t clinux_epoll_data(const void *events, int index) {
  return ((const struct epoll_event *)events)[index].data.u64;
}

// accept4 is declared for _GNU_SOURCE only.
static inline int clinux_accept(int fd, struct sockaddr *address, socklen_t *length) {
  return (int)syscall(SYS_accept4, fd, address, length, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

// pipe2 and splice are declared for _GNU_SOURCE only; 1 and 2 are SPLICE_F_MOVE and SPLICE_F_NONBLOCK.
static inline int clinux_pipe(int ends[2]) {
  return (int)syscall(SYS_pipe2, ends, O_NONBLOCK | O_CLOEXEC);
}

static inline ssize_t clinux_splice(int from, int to, size_t count) {
  return (ssize_t)syscall(SYS_splice, from, NULL, to, NULL, count, 1 | 2);
}

// SO_ORIGINAL_DST and IP6T_SO_ORIGINAL_DST are both 80 (linux/netfilter_ipv4.h, linux/netfilter_ipv6/ip6_tables.h).
static inline int clinux_original_destination(int fd, int family, struct sockaddr *address, socklen_t *length) {
  return getsockopt(fd, family == AF_INET6 ? IPPROTO_IPV6 : IPPROTO_IP, 80, address, length);
}

// EAI_NODATA (-5) is declared for _GNU_SOURCE only.
static inline int clinux_is_no_address(int status) {
  return status == EAI_NONAME || status == -5;
}
#endif
