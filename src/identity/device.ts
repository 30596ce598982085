// What a browser calls itself, in words of ours: nothing of the header comes through, so it can be stored and shown as it is.

/** The first that fits counts: most browsers also give the names of those they descend from. */
const browsers: readonly [name: string | null, mark: RegExp][] = [
  // Others that call themselves Chrome or Safari too: better no name than one their owner does not know.
  [null, /\b(SamsungBrowser|YaBrowser|Vivaldi|UCBrowser|DuckDuckGo|Ddg|Silk|Electron)\b/],
  ['Edge', /\bEdg(e|A|iOS)?\//],
  ['Opera', /\b(OPR|OPT|OPiOS|Opera)\b/],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /(Chrome|\bCriOS)\//],
  ['Safari', /\bVersion\/.*\bSafari\//],
]

/** An iPhone says that it is like a Mac, and Android that it is a Linux. */
const systems: readonly [name: string, mark: RegExp][] = [
  ['iPadOS', /\biPad\b/],
  ['iOS', /\b(iPhone|iPod)\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows NT\b/],
  ['macOS', /\bMacintosh\b/],
  ['Linux', /\bLinux\b/],
]

/** Longer than any browser's: what comes after that is not looked at. */
const MAX_CHARACTERS = 512

/** "Firefox on Linux", "Firefox" on a system without a name here; null for a browser that is none of ours. */
export function deviceOf(userAgent: string | null): string | null {
  const given = userAgent?.slice(0, MAX_CHARACTERS) ?? ''
  const browser = browsers.find(([, mark]) => mark.test(given))?.[0]
  if (!browser) return null
  const system = systems.find(([, mark]) => mark.test(given))?.[0]
  return system ? `${browser} on ${system}` : browser
}
