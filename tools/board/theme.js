// Sets the theme before anything is drawn. A plain script, since modules run too late for that.
(function () {
  "use strict";
  var root = document.documentElement;
  var dark = matchMedia("(prefers-color-scheme: dark)");
  var contrast = matchMedia("(prefers-contrast: more)");
  function apply() {
    var chosen = "auto";
    var tones = "wood";
    try {
      var settings = JSON.parse(localStorage.getItem("hexmate-settings") || "{}");
      chosen = settings.theme || "auto";
      tones = settings.tones || "wood";
    } catch (ignored) {
      // Storage may be barred; the theme is then the system's.
    }
    root.dataset.theme = chosen !== "auto" ? chosen : contrast.matches ? "contrast" : dark.matches ? "dark" : "light";
    root.dataset.tones = tones;
  }
  apply();
  dark.addEventListener("change", apply);
  contrast.addEventListener("change", apply);
  addEventListener("hexmate-theme", apply);
})();
