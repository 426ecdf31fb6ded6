// Colours: auto, light or dark, kept in a cookie so that the server draws the page right at once.
const NEXT = { auto: "dark", dark: "light", light: "auto" };
const WORD = { auto: "Auto", dark: "Dark", light: "Light" };
const YEAR = 365 * 24 * 3600;
const root = document.documentElement;

function choose(theme, form) {
  root.dataset.theme = theme;
  const secure = location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `theme=${theme}; Path=/; Max-Age=${YEAR}; SameSite=Lax${secure}`;
  form.querySelector("[data-theme-word]").textContent = WORD[theme];
  form.querySelector("button").value = NEXT[theme];
}

for (const form of document.querySelectorAll("[data-theme-form]")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    choose(NEXT[root.dataset.theme] ?? "dark", form);
  });
}

// The server writes times in the zone of this browser; a zone that was chosen in the profile stands.
if (!/(^|; )zone=/.test(document.cookie)) {
  const secure = location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `zone=${Intl.DateTimeFormat().resolvedOptions().timeZone}; Path=/; Max-Age=${YEAR}; SameSite=Lax${secure}`;
}

// An open menu closes with Escape or a press elsewhere.
function closeMenus(except) {
  for (const menu of document.querySelectorAll("details[data-menu][open]")) {
    if (!menu.contains(except)) menu.open = false;
  }
}
document.addEventListener("click", (event) => closeMenus(event.target));
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  const menu = document.querySelector("details[data-menu][open]");
  closeMenus(null);
  menu?.querySelector("summary").focus();
});
