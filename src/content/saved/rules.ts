// What can be saved: a list of this site with its query, and nothing that could lead elsewhere.

/** So many lists an account can save. */
export const MAX_SAVED = 50

const LISTS = /^\/(?:community(?:\/(?:bugs|features|posts|orgs|changelog|members))?|library(?:\/\w+)?|search)$/

/** Whether a text is the path of a list as the site writes it: one that begins otherwise could name another host. */
export function isListPath(path: string): boolean {
  const url = URL.parse(path, 'http://site.invalid')
  return url !== null && url.hash === '' && LISTS.test(url.pathname) && url.pathname + url.search === path
}
