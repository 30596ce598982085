// Which URLs members' text may contain. Both layers of Markdown use these rules.

/** The `rel` of every link in members' text. */
export const LINK_REL = ['nofollow', 'ugc', 'noopener'].join(' ')

const HERE = 'https://here.invalid'
const IMAGES = '/api/images/'
const SCHEMES = new Set(['http:', 'https:', 'mailto:'])

/** Whether an address may be a link: http, https, mailto, or a path of this site. */
export function isLink(address: string): boolean {
  const url = URL.parse(address, HERE)
  if (!url || !SCHEMES.has(url.protocol)) return false
  // `//host` and `/\host` look like paths but name another host.
  return url.origin === HERE || /^(?:https?|mailto):/i.test(address)
}

/** Whether a URL is a picture of this site, before and after a browser resolves it. */
export function isOurImage(address: string): boolean {
  return address.startsWith(IMAGES) && URL.parse(address, HERE)?.pathname.startsWith(IMAGES) === true
}

/** Whether an address is on this site. */
export function isHere(address: string): boolean {
  return isLink(address) && URL.parse(address, HERE)?.origin === HERE
}
