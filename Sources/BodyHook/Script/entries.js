// The entries of a FormData in their order: [name, text] or [name, file].
function entriesOf(form) {
  var entries = [];
  g.FormData.prototype.forEach.call(form, function (value, name) {
    entries.push([name, value]);
  });
  return entries;
}

function isFile(value) {
  return typeof value !== "string";
}

// How large a body of these entries is about, without reading a file.
function entriesSize(entries) {
  return entries.reduce(function (sum, entry) {
    return sum + 200 + (isFile(entry[1]) ? entry[1].size : entry[1].length);
  }, 0);
}

function withLineEnds(text) {
  return text.replace(/\r\n|\r|\n/g, "\r\n");
}

function quoted(text) {
  return text.replace(/\r/g, "%0D").replace(/\n/g, "%0A").replace(/"/g, "%22");
}

function newBoundary() {
  return "----WebKitFormBoundary" + hexadecimal(random(8));
}

// A multipart body, byte for byte as browsers write it (HTML, "multipart/form-data encoding algorithm").
function multipart(entries, boundary, read) {
  var pieces = [];
  entries.forEach(function (entry) {
    var name = quoted(withLineEnds(entry[0]));
    var value = entry[1];
    var head = "--" + boundary + "\r\nContent-Disposition: form-data; name=\"" + name + "\"";
    if (isFile(value)) {
      head += "; filename=\"" + quoted(value.name) + "\"\r\nContent-Type: " + (value.type || "application/octet-stream");
      pieces.push(utf8(head + "\r\n\r\n"), read(value), utf8("\r\n"));
    } else {
      pieces.push(utf8(head + "\r\n\r\n" + withLineEnds(value) + "\r\n"));
    }
  });
  pieces.push(utf8("--" + boundary + "--\r\n"));
  return concatenated(pieces);
}

// The list in which a form goes to the proxy: see FormEntry there.
function entryList(entries, read) {
  var pieces = [];
  function append(bytes) {
    var length = new Uint8Array(4);
    new DataView(length.buffer).setUint32(0, bytes.length);
    pieces.push(length, bytes);
  }
  entries.forEach(function (entry) {
    var value = entry[1];
    pieces.push(utf8(isFile(value) ? "f" : "t"));
    append(utf8(entry[0]));
    if (isFile(value)) {
      append(utf8(value.name));
      append(utf8(value.type));
      append(read(value));
    } else {
      append(utf8(value));
    }
  });
  return concatenated(pieces);
}
