// Restricts a redirect target from a URL or a form to a path of this site.

const SITE = 'http://site.invalid'

/**
 * A path of this site to go on to; for anything else `home`. Once it is written out, no parser may read another origin out of it: a
 * path that begins with two slashes names a host.
 */
export function ownPath(path: string | null | undefined, home = '/'): string {
  if (!path?.startsWith('/')) return home
  const url = URL.parse(path, SITE)
  if (url?.origin !== SITE) return home
  const own = url.pathname + url.search + url.hash
  return URL.parse(own, SITE)?.href === url.href ? own : home
}
