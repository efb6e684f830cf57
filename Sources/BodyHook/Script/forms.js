// Beacons and forms. A form's navigation can carry no field, so that its body goes ahead while the page waits, and the address names it.

var parameter = "__pb=";

function beaconSent(native, self, args) {
  var fields = quietly(function () {
    return beaconFields(args);
  });
  if (!fields) return Reflect.apply(native, self, args);
  var init = { method: "POST", body: fields.result.body, headers: fields.headers, mode: fields.mode };
  init.credentials = "include";
  init.keepalive = true;
  nativeFetch.call(g, fields.target.href, init).catch(function () {});
  return true;
}

// Browsers keep at most so many bytes for requests that outlive their page.
var keepaliveLimit = 65536;

function beaconFields(args) {
  var target = hookedTarget("POST", args[0]);
  var result = target && nativeFetch ? readBody(args[1], false) : null;
  if (!result || !result.bytes || result.size > keepaliveLimit) return null;
  var headers = new g.Headers();
  if (result.isForm) headers.set("content-type", result.type);
  var isOwn = target.origin === ownOrigin();
  var isSimple = !result.type || /^(text\u002fplain|application\u002fx-www-form-urlencoded|multipart\u002fform-data)(;|$)/i.test(result.type);
  if (isOwn && result.bytes.length <= inlineLimit()) {
    inlineFields("POST", result, { t: result.type || null }).forEach(function (field) {
      headers.set(field[0], field[1]);
    });
    return { target: target, result: result, headers: headers, mode: "cors" };
  }
  var accept = acceptFor(null, result.type || null);
  var id = uploadBlindly(target, "POST", result, accept.more);
  headers.set("accept", accept.value(id));
  return { target: target, result: result, headers: headers, mode: isSimple ? "no-cors" : "cors" };
}

function attribute(element, name) {
  return element ? g.Element.prototype.getAttribute.call(element, name) : null;
}

// What a form is sent with: the button's word counts before the form's.
function formSetting(form, submitter, name) {
  var own = attribute(submitter, "form" + name);
  var isOwn = own !== null;
  return { value: isOwn ? own : attribute(form, name), element: isOwn ? submitter : form, name: isOwn ? "form" + name : name };
}

function formCharset(form) {
  var labels = (attribute(form, "accept-charset") || "").split(/[\s,]+/).filter(Boolean).concat([d.characterSet]);
  var found = labels.map(function (label) {
    return quietly(function () {
      return new g.TextDecoder(label).encoding;
    });
  }).filter(Boolean);
  return found[0] || "utf-8";
}

// As the Encoding Standard spells it.
function charsetName(charset) {
  var known = { big5: "Big5", shift_jis: "Shift_JIS" };
  return known[charset] || (/^(windows|macintosh|x-|gb18030)/.test(charset) ? charset : charset.toUpperCase());
}

// No form is sent in UTF-16.
function formEntries(form, submitter, charset) {
  var data = quietly(function () {
    return submitter ? new g.FormData(form, submitter) : null;
  }) || new g.FormData(form);
  var hidden = Array.from(g.HTMLFormElement.prototype.querySelectorAll.call(form, "input[type=hidden i][name=_charset_]"));
  return entriesOf(data).map(function (entry) {
    return hidden.length && entry[0] === "_charset_" ? [entry[0], /^utf-/.test(charset) ? "UTF-8" : charsetName(charset)] : entry;
  });
}

// The address with the name of the body in its query; the proxy takes it out again.
function named(address, id) {
  var parts = /^([^#]*)(#.*)?$/.exec(address);
  return parts[1] + (parts[1].indexOf("?") < 0 ? "?" : "&") + parameter + id + (parts[2] || "");
}

function carryForm(form, submitter) {
  var method = (formSetting(form, submitter, "method").value || "").toUpperCase();
  var action = formSetting(form, submitter, "action");
  if (method !== "POST") return;
  var address = action.value ? new nativeURL(action.value, here()).href : d.URL;
  var target = hookedTarget("POST", address);
  if (!target) return;
  var type = (formSetting(form, submitter, "enctype").value || "").toLowerCase();
  var kind = type === "multipart/form-data" ? "m" : type === "text/plain" ? "p" : "u";
  var charset = formCharset(form);
  var entries = formEntries(form, submitter, charset);
  var result = { bytes: null, size: entriesSize(entries), type: null };
  if (result.size <= P.limit) {
    result.bytes = entryList(entries, kind === "m" ? readBlob : function () {
      return new Uint8Array(0);
    });
    result.size = result.bytes.length;
  }
  var id = upload(target, "POST", result, { f: kind, c: charset });
  if (!id) return;
  var before = attribute(action.element, action.name);
  g.Element.prototype.setAttribute.call(action.element, action.name, named(address, id));
  g.setTimeout(function () {
    if (before === null) {
      g.Element.prototype.removeAttribute.call(action.element, action.name);
    } else {
      g.Element.prototype.setAttribute.call(action.element, action.name, before);
    }
  }, 0);
}

// The address that the page is to have.
function cleaned(address) {
  return address.replace(/([?&])__pb=[0-9a-f]{32}(&|(?=#|$))/, function (all, before, after) {
    return after ? before : "";
  });
}

if (d) {
  patch(g.Navigator && g.Navigator.prototype, "sendBeacon", beaconSent);
  patch(g.HTMLFormElement.prototype, "submit", function (native, self, args) {
    quietly(function () {
      carryForm(self, null);
    });
    return Reflect.apply(native, self, args);
  });
  var carried = new WeakSet();
  var submitted = function (event) {
    if (event.defaultPrevented || carried.has(event) || tag(event.target) !== "HTMLFormElement") return;
    carried.add(event);
    quietly(function () {
      carryForm(event.target, event.submitter);
    });
  };
  g.addEventListener("submit", submitted);
  // What stops here never comes to the window.
  ["stopPropagation", "stopImmediatePropagation"].forEach(function (name) {
    patch(g.Event.prototype, name, function (native, self, args) {
      if (self && self.type === "submit" && self.isTrusted) submitted(self);
      return Reflect.apply(native, self, args);
    });
  });
  quietly(function () {
    var address = cleaned(g.location.href);
    if (address !== g.location.href) g.history.replaceState(g.history.state, "", address);
  });
}
