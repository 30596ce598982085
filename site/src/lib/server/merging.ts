// Things that were merged: their addresses lead to what they were merged into, which shows their texts.
import { type RequestEvent, redirect } from '@sveltejs/kit'
import { addressOf } from '#lib/thing-address.ts'
import type { ListedSubject } from '../../../../src/content/subject.ts'
import { found } from './answers.ts'
import { renderLinkedText } from './rendering.ts'
import { callsOf } from './subjects.ts'

type Event = Pick<RequestEvent, 'locals'> & { params: { id: string } }

/** The thing of a page. The address of one that was merged redirects for good; `ending` follows the new address. */
export async function readThing({ locals, params: { id } }: Event, subject: ListedSubject, ending = '') {
  const thing = await found(callsOf(locals.api, subject).get({ id }))
  if (thing.id !== id) redirect(301, addressOf({ ...thing, title: subject.text(thing).title }) + ending)
  return thing
}

interface MergedPage {
  calls: ReturnType<typeof callsOf>
  id: string
  page: number
}

const A_PAGE = 10

/** A page of what was merged into a thing, with its texts as HTML. */
export async function mergedInto({ locals }: Event, { calls, id, page }: MergedPage) {
  const { items, hasMore } = await found(calls.merged({ id, page, per_page: A_PAGE }))
  const shown = items.map(async ({ text, ...merged }) => ({ ...merged, html: await renderLinkedText(locals, text) }))
  return { items: await Promise.all(shown), hasMore, page }
}
