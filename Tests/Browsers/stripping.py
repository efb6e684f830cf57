"""A relay between a browser and the daemon that does what WebKit does to an app with a protocol of its own: it takes the bodies of
requests away and keeps their fields. It ends the browser's TLS with its own authority, and speaks HTTP/1.1 to both sides."""

import contextlib
import socket
import ssl
import threading

from engines import Origin


class Relay:
    """`contexts` maps hosts to TLS contexts; `strips(host, request)` says whose bodies are taken away."""

    def __init__(self, daemon, contexts, strips):
        self.daemon = tuple(daemon.rsplit(":", 1))
        self.contexts, self.strips = contexts, strips
        self.client = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        self.client.check_hostname = False
        # The daemon's own tests look at its certificates.
        self.client.verify_mode = ssl.CERT_NONE
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.address = "127.0.0.1:%d" % self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        with contextlib.suppress(OSError, ValueError), connection:
            connection.settimeout(60)
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            target = self.head(connection).split(b" ")[1].decode()
            host = target.rsplit(":", 1)[0]
            context = self.contexts.get(host)
            if context is None:
                connection.sendall(b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n")
                return
            connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
            with context.wrap_socket(connection, server_side=True) as near, self.dial(target, host) as far:
                self.exchange(host, near, near.makefile("rb"), far, far.makefile("rb"))

    def dial(self, target, host):
        far = socket.create_connection((self.daemon[0], int(self.daemon[1])), 20)
        far.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        far.sendall(f"CONNECT {target} HTTP/1.1\r\nHost: {target}\r\n\r\n".encode())
        self.head(far)
        return self.client.wrap_socket(far, server_hostname=host)

    @staticmethod
    def head(connection):
        data = b""
        while not data.endswith(b"\r\n\r\n"):
            piece = connection.recv(1)
            if not piece:
                raise OSError("closed")
            data += piece
        return data

    def exchange(self, host, near, requests, far, answers):
        while request := Origin.read(requests):
            if self.strips(host, request):
                request.body = b""
            had_length = any(n.lower() in ("content-length", "transfer-encoding") for n, _ in request.fields)
            lines = [f"{request.method} {request.path} HTTP/1.1"]
            lines += [f"{n}: {v}" for n, v in request.fields if n.lower() not in ("content-length", "transfer-encoding")]
            if had_length:
                lines.append(f"Content-Length: {len(request.body)}")
            far.sendall("\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + request.body)
            if not self.answer(request.method, near, answers):
                return

    def answer(self, method, near, stream):
        """Passes one answer on. False: the connection ends with it."""
        head = stream.readline(65536)
        if not head:
            return False
        status = int(head.split(b" ")[1])
        length, chunked, closes = None, False, False
        while True:
            line = stream.readline(1 << 20)
            head += line
            name, _, value = line.partition(b":")
            name, value = name.lower(), value.strip().lower()
            length = int(value) if name == b"content-length" else length
            chunked = chunked or (name == b"transfer-encoding" and value == b"chunked")
            closes = closes or (name == b"connection" and value == b"close")
            if line in (b"\r\n", b""):
                break
        near.sendall(head)
        if 100 <= status < 200:
            return self.answer(method, near, stream)
        if method == "HEAD" or status in (204, 304):
            return not closes
        if chunked:
            while True:
                line = stream.readline(100)
                near.sendall(line + stream.read(int(line, 16) + 2))
                if int(line, 16) == 0:
                    return not closes
        near.sendall(stream.read() if length is None else stream.read(length))
        return not closes and length is not None

    def close(self):
        self.listener.close()
