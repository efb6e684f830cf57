// What a body is: its bytes, the Content-Type that goes with it, and what is given to the browser in its place. `bytes` is null as
// long as a Blob has not been read, and where there are more than the limit; `size` says how many there are.

function readBlob(blob) {
  if (g.FileReaderSync) return new Uint8Array(new g.FileReaderSync().readAsArrayBuffer(blob));
  var address = nativeURL.createObjectURL(blob);
  try {
    var request = new XHR();
    nativeOpen.call(request, "GET", address, false);
    request.overrideMimeType("text/plain; charset=x-user-defined");
    nativeSend.call(request);
    var text = request.responseText;
    var bytes = new Uint8Array(text.length);
    for (var index = 0; index < text.length; index += 1) bytes[index] = text.charCodeAt(index);
    if (bytes.length !== blob.size) throw new Error("cut short");
    return bytes;
  } finally {
    nativeURL.revokeObjectURL(address);
  }
}

function readBlobLater(blob) {
  return new g.Response(blob).arrayBuffer().then(function (buffer) {
    return new Uint8Array(buffer);
  });
}

function reading(bytes, type, body) {
  return { bytes: bytes.length > P.limit ? null : bytes, size: bytes.length, type: type, body: body, later: null };
}

// A document as XMLHttpRequest sends it.
function serialized(node) {
  if (node.contentType !== "text/html") return new g.XMLSerializer().serializeToString(node);
  return Array.from(node.childNodes, function (child) {
    if (child.nodeType === 10) return "<!DOCTYPE " + child.name + ">";
    if (child.nodeType === 8) return "<" + "!--" + child.data + "--" + ">";
    return child.outerHTML || "";
  }).join("");
}

// Null: it cannot be read without asking the page's stream for it, or is no body.
function readBody(body, isDocumentAllowed) {
  if (body === null || body === undefined) return null;
  switch (tag(body)) {
    case "Blob":
    case "File":
      return readLater(body.size, body.type, body, [body], function (read) {
        return read(body);
      });
    case "FormData":
      return readForm(body);
    case "URLSearchParams":
      return reading(utf8(String(body)), "application/x-www-form-urlencoded;charset=UTF-8", new g.URLSearchParams(String(body)));
    case "ArrayBuffer":
      return readBuffer(new Uint8Array(body));
    case "ReadableStream":
      return null;
  }
  if (ArrayBuffer.isView(body)) return readBuffer(new Uint8Array(body.buffer, body.byteOffset, body.byteLength));
  if (isDocumentAllowed && body.nodeType === 9) {
    var type = body.contentType === "text/html" ? "text/html;charset=UTF-8" : "application/xml;charset=UTF-8";
    return reading(utf8(serialized(body)), type, body);
  }
  var text = String(body);
  return reading(utf8(text), "text/plain;charset=UTF-8", text);
}

// A copy: the page may change its buffer before the request goes.
function readBuffer(view) {
  var copy = view.slice();
  return reading(copy, null, copy);
}

// Browsers cannot be asked for the bytes of a FormData everywhere, so that it is written here, and sent as written.
function readForm(form) {
  var entries = entriesOf(form);
  var boundary = newBoundary();
  var size = entriesSize(entries);
  if (size > P.limit) return { bytes: null, size: size, type: null, body: form, later: null };
  var files = entries.map(function (entry) {
    return entry[1];
  }).filter(isFile);
  var result = readLater(size, "multipart/form-data; boundary=" + boundary, null, files, function (read) {
    return multipart(entries, boundary, read);
  });
  result.isForm = true;
  result.form = form;
  return result;
}

// Reads Blobs at once where that is possible, else `later` reads them.
function readLater(size, type, body, blobs, make) {
  var result = { bytes: null, size: size, type: type, body: body, later: null };
  if (size > P.limit) return result;
  function done(bytes) {
    result.later = null;
    result.size = bytes.length;
    if (bytes.length > P.limit) return result;
    result.bytes = bytes;
    if (result.body === null) result.body = bytes;
    return result;
  }
  var bytes = quietly(function () {
    return make(readBlob);
  });
  if (bytes) return done(bytes);
  result.later = function () {
    return Promise.all(blobs.map(readBlobLater)).then(function (all) {
      return done(make(function (blob) {
        return all[blobs.indexOf(blob)];
      }));
    });
  };
  return result;
}
