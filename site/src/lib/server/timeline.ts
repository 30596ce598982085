// One timeline of a thing: what happened to it, between its comments. Each page of comments has what happened while it was written; a list of
// comments by reactions, and the replies to one comment, have none.
import type { RequestEvent } from '@sveltejs/kit'
import type { Answer } from '#lib/api.ts'
import { wordOf } from '#lib/language/catalogue.ts'
import { addressOf } from '#lib/thing-address.ts'
import { found } from './answers.ts'
import { COMMENTS_A_PAGE, type Thread } from './comments.ts'
import type { callsOf } from './subjects.ts'

type Change = Answer<'threads.changes'>['items'][number]

/** `what` names a suggestion, `href` leads to what refers to the thing; `words` are what its board calls statuses. */
export type TimelineEvent = Change & { what: string; href: string | null; words: Readonly<Record<string, string>> }

export interface Timeline {
  /** Before each comment of the page, in their order. */
  before: TimelineEvent[][]
  after: TimelineEvent[]
  page: number
  hasOlder: boolean
}

/** As many as the API answers at once: what is older has pages of its own. */
const A_PAGE = 100

export const changesOf = ({ api }: Pick<App.Locals, 'api'>, id: string, page: number) =>
  found(api.threads.changes({ id, page, per_page: A_PAGE }))

interface Placing {
  calls: ReturnType<typeof callsOf>
  id: string
  thread: Pick<Thread, 'items' | 'page' | 'hasMore' | 'sort' | 'of'>
  changes: Awaited<ReturnType<typeof changesOf>>
  page: number
  words: Readonly<Record<string, string>>
}

/** Puts what happened between the comments of a page. */
export async function timelineOf(
  { locals: { t } }: Pick<RequestEvent, 'locals'>,
  { calls, id, thread, changes, page, words }: Placing,
): Promise<Timeline> {
  const { sort } = thread
  const none = { before: thread.items.map(() => []), after: [], page, hasOlder: false }
  if (sort === 'popular' || thread.of) return none
  const comes = (one: string, other: string) => (sort === 'oldest' ? one < other : one > other)
  const next = thread.hasMore ? await firstOfNext(calls, id, thread) : undefined
  const first = thread.page > 0 ? thread.items[0]?.createdAt : undefined
  const events = changes.items
    .filter(({ createdAt }) => !(first && comes(createdAt, first)) && !(next && !comes(createdAt, next)))
    .map((change) => ({
      ...change,
      what: (change.operation && wordOf(t, `operations.${change.operation}`)) ?? change.operation ?? '',
      href: hrefOf(change),
      words,
    }))
  if (sort === 'oldest') events.reverse()
  let at = 0
  const before = thread.items.map((comment) => {
    const from = at
    while (events[at] && !comes(comment.createdAt, events[at]?.createdAt ?? '')) at++
    return events.slice(from, at)
  })
  return { before, after: events.slice(at), page, hasOlder: changes.hasMore }
}

function hrefOf({ thing, commentId, action }: Change): string | null {
  if (action !== 'referenced' || !thing?.url) return null
  return commentId ? `/community/comments/${commentId}` : addressOf({ ...thing, url: thing.url })
}

/** When the first comment of the next page was written. */
async function firstOfNext(calls: Placing['calls'], id: string, { page, sort }: Placing['thread']) {
  const asked = { id, page: (page + 1) * COMMENTS_A_PAGE, per_page: 1, parentId: 'none', sort }
  const { items } = await found(calls.comments(asked))
  return items[0]?.createdAt
}

/** Up to when a reader who looks at a page has seen what is new. */
export function newestShown(
  { items, hasMore }: Thread,
  { createdAt, changes }: { createdAt: string; changes: Change[] },
) {
  const shown = items.flatMap((item) => [item, ...item.replies])
  const moments = shown.map((one) => one.createdAt)
  return [createdAt, ...moments, ...(hasMore ? [] : changes.slice(0, 1).map((one) => one.createdAt))].reduce(
    (newest, moment) => (moment > newest ? moment : newest),
  )
}
