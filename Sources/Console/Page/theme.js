// Sets the chosen theme before anything is painted; a classic script, so that it runs at once.
"use strict";
{
  const chosen = localStorage.getItem("pinwarden.theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
}
