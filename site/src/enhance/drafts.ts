// Keeps what is typed into a form on the server, a few seconds after the last key, and warns before a page is left whose last words are
// not kept. The page shows a draft again by itself (lib/ui/Form.svelte), and a form that is sent forgets it.

import { draftPath } from '../lib/draft-path.ts'

const PAUSE_MILLISECONDS = 3_000
/** Of what is hidden, only what belongs to the text. */
const HIDDEN = ['seen', 'parentId']

type Typed = { name: string; text: string }[]

interface State {
  timer?: ReturnType<typeof setTimeout> | undefined
  /** What the server has, as JSON. */
  kept: string
  sending?: Promise<unknown> | undefined
  /** Sent, so there is nothing left to keep. */
  done?: boolean
}

const states = new Map<HTMLFormElement, State>()

function typedIn(form: HTMLFormElement): Typed {
  return [...form.elements].flatMap((field) => {
    if (field instanceof HTMLInputElement) {
      const { name, type, value } = field
      return type === 'text' || (type === 'hidden' && HIDDEN.includes(name)) ? { name, text: value } : []
    }
    const isText = field instanceof HTMLTextAreaElement || field instanceof HTMLSelectElement
    return isText ? { name: field.name, text: field.value } : []
  })
}

const textsOf = (form: HTMLFormElement) => [...form.querySelectorAll<HTMLInputElement>('textarea, input[type="text"]')]
const isBlank = (form: HTMLFormElement) => textsOf(form).every(({ value }) => value.trim() === '')
/** Whether the form is as it came. */
const isUntouched = (form: HTMLFormElement) => textsOf(form).every(({ value, defaultValue }) => value === defaultValue)

function say(form: HTMLFormElement, what: 'kept' | 'unkept' | undefined): void {
  const said = form.querySelector<HTMLElement>('[data-draft-state]')
  if (said) said.textContent = what === undefined ? '' : (said.dataset[what] ?? '')
}

function send(form: HTMLFormElement, state: State, keepalive = false): Promise<unknown> {
  clearTimeout(state.timer)
  state.timer = undefined
  const fields = typedIn(form)
  const typed = JSON.stringify(fields)
  const isEmpty = isBlank(form) || (form.dataset.restored === undefined && isUntouched(form))
  const place = { path: draftPath(location.pathname), form: form.dataset.draft ?? '' }
  const request = isEmpty
    ? fetch(`/api/community/drafts?${new URLSearchParams(place)}`, { method: 'DELETE', keepalive })
    : fetch('/api/community/drafts', {
        ...{ method: 'PUT', headers: { 'Content-Type': 'application/json' }, keepalive },
        body: JSON.stringify({ ...place, fields }),
      })
  state.sending = request
    .then(({ ok }) => {
      if (ok) state.kept = typed
      say(form, ok ? (isEmpty ? undefined : 'kept') : 'unkept')
    })
    .catch(() => say(form, 'unkept'))
    .finally(() => {
      state.sending = undefined
    })
  return state.sending
}

/** Forgets the draft of a form that the server did not see: its file went to the API alone. */
export async function forget(form: HTMLFormElement): Promise<void> {
  if (form.dataset.draft === undefined) return
  const place = new URLSearchParams({ path: draftPath(location.pathname), form: form.dataset.draft })
  await fetch(`/api/community/drafts?${place}`, { method: 'DELETE' }).catch(() => undefined)
}

const isUnkept = (form: HTMLFormElement, { kept, done }: State) =>
  !done && form.isConnected && !isUntouched(form) && JSON.stringify(typedIn(form)) !== kept

/** A field of the form changed. */
export function changed(form: HTMLFormElement): void {
  const state = states.get(form) ?? { kept: '' }
  states.set(form, state)
  state.done = false
  clearTimeout(state.timer)
  state.timer = setTimeout(() => send(form, state), PAUSE_MILLISECONDS)
  say(form, undefined)
}

/** The form is about to be sent: nothing more is kept of it, and a save that runs ends first. False to wait for that. */
export function sending(form: HTMLFormElement, submitter: HTMLElement | null): boolean {
  const state = states.get(form)
  if (!state) return true
  clearTimeout(state.timer)
  if (!state.sending) {
    state.done = true
    return true
  }
  state.sending.finally(() => form.requestSubmit(submitter))
  return false
}

addEventListener('beforeunload', (event) => {
  for (const [form, state] of states) if (isUnkept(form, state)) event.preventDefault()
})
addEventListener('pagehide', () => {
  for (const [form, state] of states) if (state.timer && isUnkept(form, state)) send(form, state, true)
})
