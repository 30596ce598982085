// The filters that a reader saved, and those that are shared in a board, for the head of a list.
import type { RequestEvent } from '@sveltejs/kit'
import { askedIn } from '#lib/query.ts'
import type { ListedSubject } from '../../../../src/content/subject.ts'
import { found } from './answers.ts'
import { isFirst } from './boards.ts'

/** The list that is shown, as it is saved: without its page, and undefined where it is not filtered. */
function listAt({ pathname, searchParams }: URL): string | undefined {
  const query = askedIn(searchParams)
  query.delete('page')
  return query.size > 0 ? `${pathname}?${query}` : undefined
}

/** Those of the list at `url`, and whether it is one of them; undefined for anonymous users. */
export async function savedIn({ locals, url }: Pick<RequestEvent, 'locals' | 'url'>) {
  if (!(await locals.user())) return undefined
  const { items: all } = await found(locals.api.savedFilters.list({}))
  const here = listAt(url)
  const items = all.filter(({ path }) => path.split('?')[0] === url.pathname)
  return { items, here, current: items.find(({ path }) => path === here) }
}

/** Those that are shared in the board of the list at `url`, which is the first one where none is named. */
export async function sharedIn({ locals: { api }, url }: Pick<RequestEvent, 'locals' | 'url'>, subject: ListedSubject) {
  if (!subject.boards) return undefined
  const { items: boards } = await found(api.boards.list({}))
  const named = url.searchParams.get('board')
  const board = boards.find(named ? ({ slug }) => slug === named : isFirst)
  if (!board) return undefined
  const { items: all } = await found(api.savedFilters.listShared({ board: board.slug }))
  const here = listAt(url)
  const items = all.filter(({ path }) => path.split('?')[0] === url.pathname)
  const { slug, name, archivedAt, can } = board
  return {
    ...{ slug, name, items, here, mayShare: can.moderate && archivedAt === null, mayRemove: can.moderate },
    current: items.find(({ path }) => path === here),
  }
}
