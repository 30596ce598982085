// What can be saved: a list of this site with its query, and nothing that could lead elsewhere. What is shared in a board is a list of that board, with
// filters that its contract has.
import type { z } from 'zod'

/** So many lists an account can save. */
export const MAX_SAVED = 50
/** So many are shared in a board. */
export const MAX_SHARED = 50

const LISTS = /^\/(?:community(?:\/(?:bugs|features|posts|orgs|changelog|members))?|library(?:\/\w+)?|search)$/
const BASE = 'http://site.invalid'

/** Whether a text is the path of a list as the site writes it: one that begins otherwise could name another host. */
export function isListPath(path: string): boolean {
  const url = URL.parse(path, BASE)
  return url !== null && url.hash === '' && LISTS.test(url.pathname) && url.pathname + url.search === path
}

/** The board that a path names. */
export const boardIn = (path: string): string | undefined => new URL(path, BASE).searchParams.get('board') ?? undefined

/** A path that names its board, if it names one, by this address. It is stored with the id instead: addresses change. */
export function withBoard(path: string, slug: string): string {
  const url = new URL(path, BASE)
  if (!url.searchParams.has('board')) return path
  url.searchParams.set('board', slug)
  return url.pathname + url.search
}

/** By the paths of lists of boards, what they take. */
export type ListInputs = ReadonlyMap<string, z.ZodObject>

const PAGES = ['page', 'per_page', 'cursor']

/** The filter of a path that its list does not have, or not with this value; undefined where there is none. */
export function wrongFilter(path: string, lists: ListInputs): string | undefined {
  const { pathname, searchParams } = new URL(path, BASE)
  const input = lists.get(pathname)
  const names = [...searchParams.keys()]
  const wrong = names.find(
    (name, at) => !(input && Object.hasOwn(input.shape, name)) || PAGES.includes(name) || names.indexOf(name) !== at,
  )
  if (wrong !== undefined || !input) return wrong
  const [issue] = input.safeParse(Object.fromEntries(searchParams)).error?.issues ?? []
  return issue && String(issue.path[0])
}

/** Whether a path is of a list of this board: the first one has the lists without a board too. */
export function isListOf(
  path: string,
  { slug, isFirst }: { slug: string; isFirst: boolean },
  lists: ListInputs,
): boolean {
  const named = boardIn(path)
  return lists.has(new URL(path, BASE).pathname) && (named === slug || (named === undefined && isFirst))
}
