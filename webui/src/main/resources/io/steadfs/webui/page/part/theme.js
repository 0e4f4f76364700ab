// Dark or light: as the system says, unless the switch was set. The choice is kept in this browser.

const KEY = "stead-theme";
const CHOICES = ["system", "light", "dark"];
const systemIsDark = window.matchMedia("(prefers-color-scheme: dark)");
const watchers = new Set();

let choice = stored();
apply();
systemIsDark.addEventListener("change", tell);

function stored() {
  try {
    const value = window.localStorage.getItem(KEY);
    return CHOICES.includes(value) ? value : "system";
  } catch {
    return "system"; // a browser may refuse to keep anything
  }
}

function apply() {
  if (choice === "system") {
    document.documentElement.removeAttribute("data-theme");
  } else {
    document.documentElement.dataset.theme = choice;
  }
}

function tell() {
  watchers.forEach((watcher) => watcher());
}

/** One of "system", "light", "dark". */
export function theme() {
  return choice;
}

export function setTheme(next) {
  choice = next;
  try {
    window.localStorage.setItem(KEY, next);
  } catch {
    // it then holds until the page is left
  }
  apply();
  tell();
}

/** Calls the watcher whenever colours change. Gives back what ends that. */
export function onTheme(watcher) {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}
