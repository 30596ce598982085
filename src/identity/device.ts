// Names browser and system from a fixed list: no text of the header is copied, so the name can be stored and shown.

/** The first match counts: most browsers also name the browsers they are derived from. */
const browsers: readonly [name: string | null, mark: RegExp][] = [
  // Other browsers also claim to be Chrome or Safari: no name is better than an unfamiliar one.
  [null, /\b(SamsungBrowser|YaBrowser|Vivaldi|UCBrowser|DuckDuckGo|Ddg|Silk|Electron)\b/],
  ['Edge', /\bEdg(e|A|iOS)?\//],
  ['Opera', /\b(OPR|OPT|OPiOS|Opera)\b/],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /(Chrome|\bCriOS)\//],
  ['Safari', /\bVersion\/.*\bSafari\//],
]

/** An iPhone claims to be like a Mac, and Android claims to be Linux. */
const systems: readonly [name: string, mark: RegExp][] = [
  ['iPadOS', /\biPad\b/],
  ['iOS', /\b(iPhone|iPod)\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows NT\b/],
  ['macOS', /\bMacintosh\b/],
  ['Linux', /\bLinux\b/],
]

/** Longer than any browser's header: the rest is ignored. */
const MAX_CHARACTERS = 512

/** "Firefox on Linux", "Firefox" on a system without a name here; null for a browser that is not in the list. */
export function deviceOf(userAgent: string | null): string | null {
  const given = userAgent?.slice(0, MAX_CHARACTERS) ?? ''
  const browser = browsers.find(([, mark]) => mark.test(given))?.[0]
  if (!browser) return null
  const system = systemOf(given)
  return system ? `${browser} on ${system}` : browser
}

/** "macOS"; undefined for a system that is not in the list. */
export const systemOf = (userAgent: string | null): string | undefined =>
  systems.find(([, mark]) => mark.test(userAgent?.slice(0, MAX_CHARACTERS) ?? ''))?.[0]
