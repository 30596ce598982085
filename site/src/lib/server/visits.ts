// Since when a list is new to a member: they have visited it before, and the server remembers when that visit ended.
import type { RequestEvent } from '@sveltejs/kit'
import { hasActivity, type ListedSubject } from '../../../../src/content/subject.ts'

/** A browser that fetches a page before it is opened: that is no visit. */
const isPrefetch = ({ headers }: Request): boolean => headers.get('sec-purpose')?.includes('prefetch') ?? false

/** When the visit before ended, where the page is of what is new since then; the visit that it belongs to is remembered in any case. */
export async function newSince(
  { locals, request, url }: Pick<RequestEvent, 'locals' | 'request' | 'url'>,
  { type, thread }: Pick<ListedSubject, 'type' | 'thread'>,
): Promise<string | null | undefined> {
  if (!hasActivity({ thread }) || !(await locals.user())) return undefined
  const { threads } = locals.api
  const isVisit = request.method === 'GET' && !isPrefetch(request)
  const list = { type: type as 'bug' }
  // The page is there without it.
  const visit = await (isVisit ? threads.visitList(list) : threads.myListVisit(list)).catch(() => undefined)
  return url.searchParams.get('sort') === 'new' ? (visit?.since ?? null) : undefined
}
