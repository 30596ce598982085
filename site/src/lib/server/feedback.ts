// What is said of versions of items: as a form has it, and what a page of an item shows.
import type { Answer } from '#lib/api.ts'
import { field, found } from './answers.ts'
import { glimpse } from './lists.ts'
import { unlessOff } from './parts.ts'
import { shorten } from './plain-text.ts'

/** So many of each kind; more are in the lists of them. */
const SHOWN = 5
const MAX_GLIMPSE = 160

/** The version that a form names; undefined for none. */
export function aboutIn(form: FormData) {
  const [item, version] = [field(form, 'about').trim(), field(form, 'version').trim()]
  return item || version ? { item, version } : undefined
}

/** What an address asks for beside other filters: an item, and a version of it. */
export const aboutOf = (query: URLSearchParams) => ({
  item: query.get('item')?.slice(0, 220) || undefined,
  version: query.get('version')?.slice(0, 256) || undefined,
})

type Entries = Answer<'bugs.list'> | Answer<'features.list'>
const shownOf = (list: Entries | undefined) =>
  list && { total: list.total, items: list.items.map(({ id, number, title, url }) => ({ id, number, title, url })) }

/** What is open about a version, with the newest comments that name it. */
export async function feedbackOn(
  locals: App.Locals,
  { id, isDiscussed }: { id: string; isDiscussed: boolean },
  version: string,
) {
  const { bugs, features, library } = locals.api
  const asked = { item: id, version, status: 'open', per_page: SHOWN } as const
  const [open, wanted, comments] = await Promise.all([
    unlessOff(locals, 'bugs.list', () => found(bugs.list(asked))),
    unlessOff(locals, 'features.list', () => found(features.list(asked))),
    isDiscussed ? found(library.comments({ id, version, sort: 'newest', per_page: SHOWN })) : undefined,
  ])
  return {
    version,
    bugs: shownOf(open),
    features: shownOf(wanted),
    comments: comments && {
      total: comments.total,
      items: comments.items.map(({ id: commentId, body }) => ({
        id: commentId,
        title: shorten(glimpse(body), MAX_GLIMPSE),
        url: `/community/comments/${commentId}`,
      })),
    },
  }
}

export type Feedback = Awaited<ReturnType<typeof feedbackOn>>
