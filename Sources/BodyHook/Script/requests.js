// XMLHttpRequest stays the browser's own; only what it sends is looked at.

var requests = new WeakMap();
var probe = "\u0000pb";
var nativeOpen = XHR && XHR.prototype.open;
var nativeSend = XHR && XHR.prototype.send;
var nativeSetRequestHeader = XHR && XHR.prototype.setRequestHeader;

function invalidState(method) {
  var message = "Failed to execute '" + method + "' on 'XMLHttpRequest': The object's state must be OPENED.";
  return new g.DOMException(message, "InvalidStateError");
}

function forget(request) {
  var state = requests.get(request);
  if (state && state.gap) state.gap.isOver = true;
  requests.delete(request);
}

// Takes the place of the browser's answer until the next `open`.
function pretendState(request, state) {
  Object.defineProperty(request, "readyState", {
    configurable: true,
    get: function () {
      return state;
    }
  });
}

function opened(native, self, args) {
  if (self === g && args[0] === probe) return true;
  var wasSending = requests.get(self);
  Reflect.apply(native, self, args);
  if (wasSending) forget(self);
  delete self.readyState;
  var method = normalizedMethod(args[0]);
  var target = hookedTarget(method, args[1]);
  if (!target) return undefined;
  var isAsync = args.length < 3 || Boolean(args[2]);
  requests.set(self, { method: method, target: target, isAsync: isAsync, accept: null, hasType: false, gap: null });
  return undefined;
}

// Accept is held back until the request goes, since a value that was set can only grow.
function headerSet(native, self, args) {
  var state = requests.get(self);
  if (!state) return Reflect.apply(native, self, args);
  if (state.gap) throw invalidState("setRequestHeader");
  var name = String(args[0]).toLowerCase();
  if (args.length < 2 || name !== "accept") {
    var answer = Reflect.apply(native, self, args);
    if (name === "content-type") state.hasType = true;
    return answer;
  }
  var stand = new XHR();
  nativeOpen.call(stand, "POST", state.target.href, true);
  Reflect.apply(native, stand, args);
  var value = String(args[1]).replace(/^[\t\r\n ]+|[\t\r\n ]+$/g, "");
  state.accept = state.accept === null ? value : state.accept + ", " + value;
  return undefined;
}

function sent(native, self, args) {
  var state = requests.get(self);
  if (!state || self.readyState !== 1) return Reflect.apply(native, self, args);
  if (state.gap) throw invalidState("send");
  var result = quietly(function () {
    return readBody(args[0], true);
  });
  if (!result) return release(self, state, args);
  if (state.isAsync) return sendLater(self, state, result, args);
  var field = quietly(function () {
    return carry(state, result);
  });
  return complete(self, state, result, field, args);
}

function release(self, state, args) {
  requests.delete(self);
  if (state.accept !== null) nativeSetRequestHeader.call(self, "Accept", state.accept);
  return Reflect.apply(nativeSend, self, args);
}

function isInline(state, result) {
  return Boolean(result.bytes) && state.target.origin === ownOrigin() && result.bytes.length <= inlineLimit();
}

// What the browser will say that the body is; null: the page has said it.
function typeOf(state, result) {
  return state.hasType ? null : result.type || null;
}

// The fields that go with a request whose caller waits.
function carry(state, result) {
  if (isInline(state, result)) return inlineFields(state.method, result, { t: typeOf(state, result) });
  if (!result.bytes && result.later) return [];
  var accept = acceptFor(state.accept, typeOf(state, result));
  var id = upload(state.target, state.method, result, accept.more);
  return id ? [["Accept", accept.value(id)]] : [];
}

// The request goes, with `fields`.
function complete(self, state, result, fields, args) {
  requests.delete(self);
  fields = fields || [];
  var setsAccept = fields.length === 1;
  if (!setsAccept && state.accept !== null) nativeSetRequestHeader.call(self, "Accept", state.accept);
  fields.forEach(function (field) {
    nativeSetRequestHeader.call(self, field[0], field[1]);
  });
  if (result.isForm && result.bytes && !state.hasType) nativeSetRequestHeader.call(self, "Content-Type", result.type);
  return Reflect.apply(nativeSend, self, result.body === null ? args : [result.body]);
}

function sendLater(self, state, result, args) {
  if (isInline(state, result)) return complete(self, state, result, inlineFields(state.method, result, { t: typeOf(state, result) }), args);
  var gap = { isOver: false, began: now(), timer: 0 };
  state.gap = gap;
  var accept = acceptFor(state.accept, typeOf(state, result));
  var ready = result.later ? result.later() : Promise.resolve(result);
  ready.then(function () {
    return gap.isOver ? null : uploadLater(state.target, state.method, result, accept.more);
  }).catch(function () {
    return null;
  }).then(function (id) {
    if (!gap.isOver) endGap(self, state, result, id ? [["Accept", accept.value(id)]] : [], args);
  });
  if (self.timeout > 0) armGap(self, state);
  return undefined;
}

function endGap(self, state, result, fields, args) {
  var gap = state.gap;
  gap.isOver = true;
  g.clearTimeout(gap.timer);
  state.gap = null;
  // The time counts from the page's call.
  if (self.timeout > 0) self.timeout = Math.max(1, self.timeout - (now() - gap.began));
  complete(self, state, result, fields, args);
}

function armGap(self, state) {
  state.gap.timer = g.setTimeout(function () {
    if (state.gap && !state.gap.isOver) fail(self, "timeout");
  }, self.timeout);
}

// The browser has nothing to end yet: the page sees what it would have seen.
function fail(self, event) {
  forget(self);
  [self, self.upload].forEach(function (target) {
    target.dispatchEvent(new g.ProgressEvent("loadstart"));
  });
  pretendState(self, 4);
  self.dispatchEvent(new g.Event("readystatechange"));
  [self.upload, self].forEach(function (target) {
    [event, "loadend"].forEach(function (name) {
      target.dispatchEvent(new g.ProgressEvent(name));
    });
  });
}

function aborted(native, self, args) {
  var state = requests.get(self);
  if (!state || !state.gap) return Reflect.apply(native, self, args);
  fail(self, "abort");
  // Unless the page has opened it again meanwhile.
  if (Object.prototype.hasOwnProperty.call(self, "readyState")) pretendState(self, 0);
  return undefined;
}

if (XHR) {
  patch(XHR.prototype, "open", opened);
  patch(XHR.prototype, "setRequestHeader", headerSet);
  patch(XHR.prototype, "send", sent);
  patch(XHR.prototype, "abort", aborted);
}
