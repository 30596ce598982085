// Fills the form for a comment in place: what it replies to, and a quote. Without script the same links load the page with the form
// filled (lib/server/comments.ts).
import { quoteOf } from '../lib/quote.ts'
import { count } from './fields.ts'
import { complain } from './say.ts'

const form = () => document.querySelector<HTMLFormElement>('#reply form')

/** Sets what the form replies to; nothing by default. */
export function replyTo(id = '', author = ''): HTMLTextAreaElement | undefined {
  const into = form()
  if (!into) return undefined
  into.querySelector<HTMLInputElement>('[name="parentId"]')!.value = id
  const note = into.querySelector<HTMLElement>('[data-replying]')!
  note.hidden = id === ''
  note.querySelector('[data-to]')!.textContent = author
  const field = into.querySelector('textarea')!
  field.focus()
  field.setSelectionRange(field.value.length, field.value.length)
  return field
}

/** Adds the quote of a comment to what is written. A quoted reply is replied to. */
export async function quote({ quote: id = '', parent, author }: DOMStringMap): Promise<void> {
  const response = await fetch(`/api/community/comments/${id}`).catch(() => undefined)
  if (!response?.ok) return complain('The comment could not be quoted. Try again.')
  const text = quoteOf(await response.json())
  const field = parent ? replyTo(id, author) : (form()?.querySelector('textarea') ?? undefined)
  if (!field) return
  const before = field.value.trimEnd()
  field.value = before === '' ? text : `${before}\n\n${text}`
  field.focus()
  field.setSelectionRange(field.value.length, field.value.length)
  count(field)
}

/** A comment may have moved to another page since its address was written down. */
export function findComment(): void {
  const id = /^#comment-([\w-]+)$/.exec(location.hash)?.[1]
  if (id && !document.getElementById(`comment-${id}`)) location.replace(`/community/comments/${id}`)
}
