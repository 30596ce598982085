// Comments of any subject: read with a page, added and deleted by its forms. A page has comments that reply to none, each with its
// first replies; a thread with more of them has pages of its own (`?thread=<id>`).
import { error, type RequestEvent, redirect } from '@sveltejs/kit'
import type { Answer } from '#lib/api.ts'
import { quoteOf } from '#lib/quote.ts'
import { rendered } from '#lib/rendered.ts'
import type { HiddenState } from '../../../../src/content/hiding/rules.ts'
import { action, type FormEvent, field, found, reasonIn } from './answers.ts'
import { pageNumber } from './page-number.ts'
import { renderLinked } from './rendering.ts'
import { preview, seenIn } from './writing.ts'

type ListedComment = Omit<Answer<'bugs.comments'>['items'][number], 'bugId' | 'replies'> &
  Pick<Answer<'library.comments'>['items'][number], 'about'>
type Page = Omit<Answer<'bugs.comments'>, 'items'> & {
  items: (ListedComment & { replies?: ListedComment[] | undefined })[]
}
type PlacedComment = Answer<'comments.get'>

export type CommentSort = 'oldest' | 'newest' | 'popular'
export type ShownComment = ListedComment & { html: string }

export interface Thread {
  items: (ShownComment & { replies: ShownComment[] })[]
  page: number
  /** How many pages there are. */
  pages: number
  hasMore: boolean
  sort: CommentSort
  /** The comment that all others reply to, where one thread is shown by itself. */
  of: ShownComment | undefined
  /** A comment that others do not see, which its author or a moderator looks at. */
  apart: (PlacedComment & { html: string; state: HiddenState }) | undefined
  /** What the form replies to. */
  replyTo: { id: string; username: string | null } | undefined
  /** The comment whose text is in a form. */
  editing: string | undefined
  /** What the form quotes. */
  draft: string
  /** The HTML of the texts that were given. */
  texts: string[]
}

export const COMMENTS_A_PAGE = 50
/** How many replies a page has below a comment. */
const REPLIES_SHOWN = 5
const SORTS: readonly CommentSort[] = ['oldest', 'newest', 'popular']

/** What is commented on: the calls of its part of the API, and its name in them. */
interface Parent<Key> {
  calls: {
    comments(
      input: Key & { page: number; per_page: number; sort?: CommentSort; parentId: string; replies?: number },
    ): Promise<Page>
    comment(
      input: Key & { body: string; parentId?: string | undefined; version?: string | undefined },
    ): Promise<{ id: string }>
    deleteComment(input: Key & { commentId: string; reason?: string | undefined }): Promise<unknown>
  }
  key: Key
  /** The address that the API has for it, where the page has another one. */
  url?: string
}

type Event = Pick<RequestEvent, 'url' | 'locals'>

/** The comment that a query names, if it is on this page's thing. */
async function named(
  { url: { pathname, searchParams }, locals }: Event,
  name: string,
  on = pathname,
): Promise<PlacedComment | undefined> {
  const id = searchParams.get(name)
  if (!id) return undefined
  const comment = await found(locals.api.comments.get({ id }))
  if (comment.on.url !== on) error(404, locals.t('community.comment.gone'))
  return comment
}

/** A page of comments with their text as HTML. `texts` are others of the page, which are rendered along. */
export async function thread<Key extends object>(
  event: Event,
  { calls, key, url: on }: Parent<Key>,
  texts: Promise<readonly string[]> = Promise.resolve([]),
): Promise<Thread> {
  const { url, locals } = event
  const page = pageNumber(url)
  const sort = SORTS.find((one) => one === url.searchParams.get('sort')) ?? 'oldest'
  const of = url.searchParams.get('thread')
  const input = of ? { parentId: of } : { parentId: 'none', replies: REPLIES_SHOWN, sort }
  const [{ items, total, hasMore }, root, replied, quoted, concealed, others] = await Promise.all([
    found(calls.comments({ ...key, page, per_page: COMMENTS_A_PAGE, ...input })),
    named(event, 'thread', on),
    named(event, 'reply', on),
    named(event, 'quote', on),
    // It may be gone by now.
    named(event, 'comment', on).catch(() => undefined),
    texts,
  ])
  const apart = concealed?.state && { ...concealed, state: concealed.state }
  const comments = [
    ...(root ? [root] : []),
    ...(apart ? [apart] : []),
    ...items.flatMap((item) => [item, ...(item.replies ?? [])]),
  ]
  const html = await renderLinked(locals, [...others, ...comments.map(({ body, fullText = body }) => fullText)])
  const htmlOf = new Map(comments.map(({ id }, at) => [id, html[others.length + at] ?? '']))
  const shown = <One extends { id: string }>(one: One) => ({ ...one, html: htmlOf.get(one.id) ?? '' })
  // Where a reply is quoted, the quote replies to the same comment.
  const answered = replied ?? (quoted?.parentId ? quoted : undefined)
  return {
    items: rendered(items.map(({ replies = [], ...one }) => ({ ...shown(one), replies: replies.map(shown) }))),
    of: root && shown(root),
    apart: apart && shown(apart),
    ...{ page, pages: Math.ceil(total / COMMENTS_A_PAGE), hasMore, sort },
    replyTo: answered && { id: answered.id, username: answered.authorUsername },
    editing: url.searchParams.get('edit') ?? undefined,
    draft: quoted ? quoteOf(quoted) : '',
    texts: html.slice(0, others.length),
  }
}

/** The path of the page that shows a comment, up to the comment; `at` is that page. One that others do not see is in no list: it is shown apart. */
export function pathTo(
  { id, on, parentId, position, parentPosition, state }: PlacedComment,
  at: string = on.url,
): string {
  if (state) return `${at}?comment=${id}#comment-${id}`
  const query = new URLSearchParams()
  const isBelow = parentId !== null && position >= REPLIES_SHOWN
  if (isBelow) query.set('thread', parentId)
  const page = Math.floor((isBelow ? position : (parentPosition ?? position)) / COMMENTS_A_PAGE)
  if (page > 0) query.set('page', String(page))
  return `${at}${query.size > 0 ? `?${query}` : ''}#comment-${id}`
}

/** The actions `comment`, `editComment` and `deleteComment` of a page. */
export const commentActions = <Event, Key extends object>(
  parentOf: (event: Event) => Parent<Key> | Promise<Parent<Key>>,
) => ({
  comment: action(
    async (form, event: Event & FormEvent) => {
      const { calls, key } = await parentOf(event)
      const parentId = field(form, 'parentId') || undefined
      // Only the form of an item has it.
      const version = field(form, 'version') || undefined
      return calls.comment({ ...key, body: field(form, 'body'), parentId, ...(version && { version }) })
    },
    // Redirect, so that a reload does not send the comment again.
    async ({ id }, _, { locals, url }) =>
      redirect(303, pathTo(await found(locals.api.comments.get({ id })), url.pathname)),
    { written: true },
  ),
  preview: preview('body', (url) => (url.searchParams.has('edit') ? 'editComment' : 'comment')),
  editComment: action(
    (form, { locals, url }: Event & FormEvent) =>
      locals.api.comments.edit({
        id: url.searchParams.get('edit') ?? '',
        body: field(form, 'body'),
        reason: reasonIn(form),
        ...seenIn(form),
      }),
    async ({ id }, _, { locals, url }) =>
      redirect(303, pathTo(await found(locals.api.comments.get({ id })), url.pathname)),
    { written: true },
  ),
  deleteComment: action(
    async (form, event: Event & FormEvent) => {
      const { calls, key } = await parentOf(event)
      return calls.deleteComment({ ...key, commentId: field(form, 'commentId'), reason: reasonIn(form) })
    },
    () => ({ done: 'deleteComment' }),
    { of: (form) => `deleteComment ${field(form, 'commentId')}` },
  ),
})
