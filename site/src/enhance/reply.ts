// Fills the form for a comment in place: what it replies to, and a quote. Without script the same links load the page with the form
// filled (lib/server/comments.ts).
import { quoteOf } from '../lib/quote.ts'
import { complain } from './say.ts'
import { word } from './words.ts'

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

/** The text that is selected in what a member wrote, and that element; undefined where there is none. */
function selection(): { text: string; within: Element } | undefined {
  const selected = getSelection()
  const text = selected?.toString().trim()
  const within = selected?.anchorNode?.parentElement?.closest('main .prose')
  return text && within ? { text, within } : undefined
}

/** Adds a text to what is written in the form for a comment. */
function add(field: HTMLTextAreaElement, text: string): void {
  const before = field.value.trimEnd()
  field.value = before === '' ? text : `${before}\n\n${text}`
  field.focus()
  field.setSelectionRange(field.value.length, field.value.length)
  field.dispatchEvent(new Event('input', { bubbles: true }))
}

/** Quotes what is selected: of a comment with its author, of anything else as it is. */
export function quoteSelection(): void {
  const selected = selection()
  const field = form()?.querySelector('textarea')
  if (!selected || !field) return
  const comment = selected.within.closest('article')?.querySelector<HTMLElement>('[data-quote]')
  if (comment) return void quote(comment.dataset)
  add(field, `${selected.text.replace(/^/gm, '> ').replace(/ +$/gm, '')}\n\n`)
}

/** Adds the quote of a comment to what is written, or of what is selected in it. A quoted reply is replied to. */
export async function quote({ quote: id = '', parent, author }: DOMStringMap): Promise<void> {
  const selected = selection()
  const response = await fetch(`/api/community/comments/${id}`).catch(() => undefined)
  if (!response?.ok) return complain(word('page.quoteFailed'))
  const comment = await response.json()
  const isIts = selected?.within.closest('article')?.querySelector(`[data-quote="${CSS.escape(id)}"]`) != null
  const text = quoteOf(selected && isIts ? { ...comment, body: selected.text } : comment)
  const field = parent ? replyTo(id, author) : (form()?.querySelector('textarea') ?? undefined)
  if (!field) return
  add(field, text)
}

/** A comment may have moved to another page since its address was written down. */
export function findComment(): void {
  const id = /^#comment-([\w-]+)$/.exec(location.hash)?.[1]
  if (id && !document.getElementById(`comment-${id}`)) location.replace(`/community/comments/${id}`)
}
