// Pages of things by their numbers. The rest of the site knows a thing by its id alone: the number in an address is read once, before its page.
import { type RequestEvent, redirect } from '@sveltejs/kit'
import { subjectAt } from '#lib/subjects.ts'
import { addressOf, numberIn } from '#lib/thing-address.ts'
import type { HiddenState } from '../../../../src/content/hiding/rules.ts'

const PAGES = '/community/[subject=subject]/[id]'

/** Puts the id of a thing where its number is in the address. What no one has for this reader stays as it is: not found. */
export async function readNumber({ route, params, locals }: Pick<RequestEvent, 'route' | 'params' | 'locals'>) {
  const number = route.id?.startsWith(PAGES) ? numberIn(params['id'] ?? '') : undefined
  if (number === undefined) return
  const found = await locals.api.references.get({ number }).catch(() => undefined)
  if (found && found.type === subjectAt(params['subject']).type) params['id'] = found.id
}

interface ReadThing {
  url: string
  number: number
  title: string
  state?: HiddenState | undefined
}

/**
 * Leads to the address of a thing that was read, for good, unless the page is there already. What not everyone sees keeps the address by its id,
 * as its number leads nowhere. An answer to a form stays where it is.
 */
export function leadToAddress({ url, request, setHeaders }: RequestEvent, thing: ReadThing): void {
  const address = thing.state ? thing.url : addressOf(thing)
  if (url.pathname === address || request.method === 'POST') return
  // The words change with the title: a browser that remembered two such answers could go in a circle.
  setHeaders({ 'cache-control': 'no-cache' })
  redirect(301, address + url.search)
}
