// Which sites a text names: domains, match patterns and URLs, written as browsers read them (WHATWG URL).
// Part of permissions.ts, which the command line bundles: nothing here uses an API of Node.
import { isTemplate, type PermissionSet } from './permission-set.ts'

const HOST = /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])$/
/** Longer than any host with a scheme before it. */
const MAX_URL_START = 400
const MAX_SCHEME = 24
const LOCAL_FILES = 'local files'

/** The site of a domain, a pattern (`*.example.com`) or a URL; undefined where that cannot be said. */
function siteOf(given: string): string | undefined {
  const text = given.trim().slice(0, MAX_URL_START)
  if (/^file:/i.test(text)) return LOCAL_FILES
  const afterScheme = text.replace(/^[a-z*][a-z0-9+.*-]*:[\\/]*/i, (scheme) => (/[\\/]/.test(scheme) ? '' : scheme))
  const authority = afterScheme.replace(/^[\\/]+/, '').split(/[\\/?#]/)[0] ?? ''
  const host = authority.slice(authority.lastIndexOf('@') + 1)
  const below = host.startsWith('*.')
  const plain = hostOf(below ? host.slice(2) : host)
  return plain === undefined ? undefined : `${below ? '*.' : ''}${plain}`
}

/** A host in its one form: lower case, in ASCII, without a port and a last dot; numbers of IPv4 as browsers read them. */
function hostOf(text: string): string | undefined {
  if (text === '' || isTemplate(text)) return undefined
  try {
    const host = new URL(`http://${text}/`).hostname.replace(/\.$/, '')
    return HOST.test(host) ? host : undefined
  } catch {
    return undefined
  }
}

/** Adds what a field for sites names. A path names none; what cannot be told is any site. */
export function addSite(found: PermissionSet, given: string): void {
  // Browsers leave out tabs and line ends in URLs.
  const text = given.replace(/[\t\n\r]/g, '').trim()
  if (/^(?:about|data|blob|mailto|tel):/i.test(text)) return
  if (/^javascript:/i.test(text)) found.addAny('script', 'site')
  else if (/^(?:[/\\](?![/\\])|[.?#])/.test(text)) return
  else addHost(found, siteOf(/^(?:https?|wss?|ftp):(?![\\/])/i.test(text) ? text.replace(':', '://') : text))
}

/** Adds every site that a text has a URL of. */
export function addSitesIn(found: PermissionSet, text: string): void {
  for (const { index } of text.matchAll(/:(?:\/\/|\\\/\\\/)/g)) {
    const scheme = text.slice(Math.max(0, index - MAX_SCHEME), index).match(/[a-z*][a-z0-9+.*-]*$/i)?.[0]
    if (scheme === undefined) continue
    const rest = text.slice(index + 1, index + MAX_URL_START).replace(/^[\\/]+/, '')
    const start = rest.match(/^(?:[^\s"'`<>()\],;|[]*@)?(?:\[[^\]\s]*\]|[^\s"'`<>()\],;|[]*)/)?.[0] ?? ''
    const url = `${scheme}://${start.replace(/[.:!]+$/, '')}`
    const visit = found.visitUrl(url)
    if (visit === 'done') return
    if (visit === 'new') addHost(found, siteOf(url))
  }
}

function addHost(found: PermissionSet, host: string | undefined): void {
  if (host === undefined) found.addAny('site')
  else found.addExactly('site', host)
}
