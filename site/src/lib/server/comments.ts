// Comments of any subject: read with a page, added and deleted by its forms.

import { type RequestEvent, redirect } from '@sveltejs/kit'
import { rendered } from '#lib/rendered.ts'
import { attempt, field, found } from './answers.ts'
import { renderTexts } from './rendering.ts'

interface Stored {
  id: string
  authorId: string
  authorUsername: string | null
  body: string
  createdAt: string
}

export interface Thread {
  items: (Stored & { html: string })[]
  total: number
  page: number
  /** How many pages there are. */
  pages: number
  hasMore: boolean
}

interface Page {
  items: Stored[]
  total: number
  hasMore: boolean
}

const COMMENTS_A_PAGE = 50
const pagesOf = (total: number) => Math.ceil(total / COMMENTS_A_PAGE)

/** The page number in a URL; 0 unless it is a positive integer. */
export function pageNumber(url: URL, name = 'page'): number {
  const number = Number(url.searchParams.get(name))
  return Number.isInteger(number) && number > 0 ? number : 0
}

/** A page of comments with their text as HTML. */
export async function thread(
  { url, locals }: Pick<RequestEvent, 'url' | 'locals'>,
  list: (range: Range) => Promise<Page>,
): Promise<Thread> {
  const page = pageNumber(url)
  const { items, total, hasMore } = await found(list({ page, per_page: COMMENTS_A_PAGE }))
  const texts = await renderTexts(
    locals,
    items.map(({ body }) => body),
  )
  return {
    items: rendered(items.map((one, at) => ({ ...one, html: texts[at]! }))),
    total,
    page,
    pages: pagesOf(total),
    hasMore,
  }
}

interface Range {
  page: number
  per_page: number
}

interface Removal {
  commentId: string
  reason: string | undefined
}

interface Calls<Params> {
  list(event: Pick<RequestEvent, 'locals'>, params: Params, range: Range): Promise<Page>
  comment(event: RequestEvent, params: Params, body: string): Promise<{ id: string }>
  remove(event: RequestEvent, params: Params, removal: Removal): Promise<unknown>
}

/** The actions `comment` and `deleteComment` of a page. */
export function commentActions<Params>({ list, comment, remove }: Calls<Params>) {
  return {
    comment: async (event: RequestEvent) => {
      const form = await event.request.formData()
      const params = event.params as Params
      const sent = comment(event, params, field(form, 'body'))
      const { value, failure } = await attempt(sent, { form, url: event.url, of: 'comment', written: true })
      if (failure) return failure
      // Comments are oldest first, so the new one is on the last page.
      const { total } = await found(list(event, params, { page: 0, per_page: 1 }))
      const page = Math.max(0, pagesOf(total) - 1)
      // Redirect, so that a reload does not send the comment again.
      redirect(303, `${event.url.pathname}${page > 0 ? `?page=${page}` : ''}#comment-${value.id}`)
    },
    deleteComment: async (event: RequestEvent) => {
      const form = await event.request.formData()
      const reason = field(form, 'reason') || undefined
      const sent = remove(event, event.params as Params, { commentId: field(form, 'commentId'), reason })
      const { failure } = await attempt(sent, { form, url: event.url, of: 'deleteComment' })
      return failure ?? { done: 'deleteComment' }
    },
  }
}
