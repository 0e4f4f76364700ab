// Text of others (names of files and holders, messages of servers), and numbers and times in words.

const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
const HIDDEN_OR_BACKSLASH = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\\]/gu;

/**
 * The text with control characters, turns of direction and halves of characters as \u escapes, and backslashes doubled where it
 * has such; text without them stays as it is.
 */
export function printable(text) {
  if (!HIDDEN.test(text)) {
    return text;
  }
  return text.replace(HIDDEN_OR_BACKSLASH, (point) => (point === "\\" ? "\\\\" : escaped(point)));
}

function escaped(point) {
  let shown = "";
  for (let i = 0; i < point.length; i++) {
    shown += "\\u" + point.charCodeAt(i).toString(16).padStart(4, "0");
  }
  return shown;
}

const whole = new Intl.NumberFormat("en");
const tenth = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });
const dateTime = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium" });
const clock = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium" });

export const UNKNOWN = "not known";

export function isKnown(value) {
  return value !== null && value !== undefined && value !== "";
}

export function number(value) {
  return isKnown(value) ? whole.format(value) : UNKNOWN;
}

export function rate(perSecond) {
  return isKnown(perSecond) ? tenth.format(perSecond) : UNKNOWN;
}

/** 1536 is "1.5 KiB". */
export function bytes(value) {
  if (!isKnown(value)) {
    return UNKNOWN;
  }
  const units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
  let size = Number(value);
  let unit = 0;
  while (Math.abs(size) >= 1024 && unit < units.length - 1) {
    size /= 1024;
    unit++;
  }
  return `${tenth.format(size)} ${units[unit]}`;
}

/** 3,725,000 is "1 h 2 min". */
export function duration(millis) {
  if (!isKnown(millis)) {
    return UNKNOWN;
  }
  if (millis < 0) {
    return `-${duration(-millis)}`;
  }
  const seconds = Math.round(millis / 1000);
  if (seconds < 1) {
    return `${Math.round(millis)} ms`;
  }
  const parts = [
    [Math.floor(seconds / 86400), "d"],
    [Math.floor(seconds / 3600) % 24, "h"],
    [Math.floor(seconds / 60) % 60, "min"],
    [seconds % 60, "s"],
  ];
  const first = parts.findIndex(([count]) => count > 0);
  return parts
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(" ");
}

function shownTime(value, format) {
  if (!isKnown(value)) {
    return UNKNOWN;
  }
  const time = new Date(value);
  return Number.isNaN(time.getTime()) ? String(value) : format.format(time);
}

/** Of milliseconds since 1970 or ISO 8601; in this browser's time zone. */
export function moment(value) {
  return shownTime(value, dateTime);
}

export function timeOfDay(value) {
  return shownTime(value, clock);
}

export function percent(share) {
  return isKnown(share) ? `${tenth.format(100 * share)} %` : UNKNOWN;
}

/** "1 server", "2 servers". */
export function counted(count, one, many = `${one}s`) {
  return `${number(count)} ${Number(count) === 1 ? one : many}`;
}
