// The page finds itself as its origin made it.
var source = quietly(function () {
  var own = d.defaultView === self ? d.currentScript : null;
  own.remove();
  return own.textContent;
}) || "";
var sourceElement = "<script>" + source + "<" + "/script>";

// What a frame without an address is made of begins with this script too; its page reads what it wrote.
function withSource(markup) {
  var place = /<head(\s[^>]*)?>/i.exec(markup) || /^\s*<!doctype[^>]*>/i.exec(markup);
  var end = place ? place.index + place[0].length : 0;
  return markup.slice(0, end) + sourceElement + markup.slice(end);
}

// Frames without an address of their own get no script from the proxy: the page hooks them as soon as it can reach them.

function isInstalled(other) {
  return quietly(function () {
    return other.XMLHttpRequest.prototype.open.call(other, probe) === true;
  }) || false;
}

function installInto(other) {
  quietly(function () {
    var address = other && other !== g && other.location.href;
    if (address && /^about:(blank|srcdoc)/.test(address) && !isInstalled(other)) install(other);
  });
}

if (d) {
  ["HTMLIFrameElement", "HTMLFrameElement", "HTMLObjectElement"].forEach(function (name) {
    var prototype = g[name] && g[name].prototype;
    patchAccessor(prototype, "contentWindow", "get", function (native, self, args) {
      var found = Reflect.apply(native, self, args);
      installInto(found);
      return found;
    });
    patchAccessor(prototype, "contentDocument", "get", function (native, self, args) {
      var found = Reflect.apply(native, self, args);
      if (found) installInto(found.defaultView);
      return found;
    });
  });
  if (source) {
    patchAccessor(g.HTMLIFrameElement.prototype, "srcdoc", "set", function (native, self, args) {
      return Reflect.apply(native, self, typeof args[0] === "string" ? [withSource(args[0])] : args);
    });
    patchAccessor(g.HTMLIFrameElement.prototype, "srcdoc", "get", function (native, self, args) {
      return Reflect.apply(native, self, args).replace(sourceElement, "");
    });
  }
  patch(g, "open", function (native, self, args) {
    var found = Reflect.apply(native, self, args);
    installInto(found);
    return found;
  });
  // A frame whose document is part of the page is hooked when it has loaded, at the latest.
  d.addEventListener("load", function (event) {
    if (tag(event.target) === "HTMLIFrameElement") installInto(event.target.contentWindow);
  }, true);
}
