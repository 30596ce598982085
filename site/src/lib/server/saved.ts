// The filters that a reader saved, for the head of a list.
import type { RequestEvent } from '@sveltejs/kit'
import { found } from './answers.ts'

/** The list that is shown, as it is saved: without its page, and undefined where it is not filtered. */
function listAt({ pathname, searchParams }: URL): string | undefined {
  const query = new URLSearchParams(searchParams)
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
