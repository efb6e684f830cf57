// bytes
