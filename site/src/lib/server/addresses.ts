// Where text that people write may lead. Both layers of Markdown ask here, each with what it has in hand.

/** What every link in somebody's text says about itself. */
export const LINK_REL = 'nofollow ugc noopener'

const HERE = 'https://here.invalid'
const IMAGES = '/api/images/'
const SCHEMES = new Set(['http:', 'https:', 'mailto:'])

/** Whether an address may be a link: http, https, mailto, or a path of this site. */
export function isLink(address: string): boolean {
  const url = URL.parse(address, HERE)
  if (!url || !SCHEMES.has(url.protocol)) return false
  // Another host without a scheme (`//host`, `/\host`) only looks like a path.
  return url.origin === HERE || /^(?:https?|mailto):/i.test(address)
}

/** Whether an address is a picture that we keep; also after a browser has resolved what is in it. */
export function isOurImage(address: string): boolean {
  return address.startsWith(IMAGES) && URL.parse(address, HERE)?.pathname.startsWith(IMAGES) === true
}

/** Whether an address is on this site. */
export function isHere(address: string): boolean {
  return isLink(address) && URL.parse(address, HERE)?.origin === HERE
}
