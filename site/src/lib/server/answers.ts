// Turns API responses and errors into what pages and forms need.
import { type ActionFailure, error, fail, isActionFailure, type RequestEvent, redirect } from '@sveltejs/kit'
import { asksToConfirm, refusalIn } from '#lib/language/refusals.ts'
import { getRequestEvent } from '$app/server'
import type { HiddenState } from '../../../../src/content/hiding/rules.ts'
import { say, unsay } from './saying.ts'
import { forgetDraft } from './sent-draft.ts'

/** An error of the typed client (src/surfaces/client), known by its shape: the client stays out of the site's build. */
export interface Refusal extends Error {
  status: number
  code?: string | undefined
  /** The answer as the part of the API words it. */
  body: unknown
  headers: Headers
}

export const isRefusal = (thrown: unknown): thrown is Refusal => thrown instanceof Error && thrown.name === 'ApiError'

/** An answer of the API, or how it refused. */
export const orRefusal = <T>(answer: Promise<T>): Promise<{ value: T; refusal?: undefined } | { refusal: Refusal }> =>
  answer.then(
    (value) => ({ value }),
    (thrown: unknown) => {
      if (isRefusal(thrown)) return { refusal: thrown }
      throw thrown
    },
  )

/** Lets `change` reword or replace an error of the API. */
export async function refusedAs<T>(answer: Promise<T>, change: (refusal: Refusal) => void): Promise<T> {
  return answer.catch((thrown: unknown) => {
    if (isRefusal(thrown)) change(thrown)
    throw thrown
  })
}

/** The words of the reader whose request is answered: errors come from deep within, where no words are at hand. */
export const readerWords = () => getRequestEvent().locals.t

/** Data that a page needs; an API error becomes an error page with its status. */
export const found = <T>(answer: Promise<T>): Promise<T> =>
  refusedAs(answer, ({ status, message }) => error(status, refusalIn(readerWords(), message, status)))

/** What a page shows with a thing, such as its comments; undefined where the thing is hidden. */
export const beside = <T>(thing: Promise<{ state?: HiddenState | undefined }>, answer: Promise<T>) =>
  answer.catch(async (thrown: unknown) => {
    if ((await thing).state) return undefined
    throw thrown
  })

/** What a refused form gets back: a sentence, its field, and what was typed. */
export interface Refused {
  message: string
  field?: string
  typed: Record<string, string>
  /** The form. */
  of?: string
  /** Whether a proof of work is missing, which the script adds (enhance/proof.ts). */
  proof?: true
  /** Whether the same form is taken once it is confirmed. */
  confirm?: true
}

interface Attempted {
  form: FormData
  url: URL
  /** The form, if it has a name of its own. */
  of?: string
  /** Whether the form holds text that must not be lost. */
  written?: boolean
}

/** The name of a form is that of its action (`?/name`), or `again` where it asks for the same once more. */
const nameOf = (form: FormData, url: URL) => (form.has('again') ? 'again' : actionAt(url))

const actionAt = ({ search }: URL) => /^\?\/(\w+)/.exec(search)?.[1]

/**
 * Sends a form. An API error becomes a failure to show beside its field. Anonymous users go to the sign-in page, unless they
 * have written something: then the form comes back as it is.
 */
export async function attempt<T>(
  answer: Promise<T>,
  { form, url, of = nameOf(form, url), written = false }: Attempted,
): Promise<{ value: T; failure?: undefined } | { value?: undefined; failure: ActionFailure<Refused> }> {
  try {
    return { value: await answer }
  } catch (thrown) {
    if (!isRefusal(thrown)) throw thrown
    if (thrown.status !== 401 || thrown.code) return { failure: refuse(thrown, form, of) }
    if (!written) redirect(303, signInPath(url))
    return { failure: refuse({ status: 401, message: readerWords()('errors.sessionOver') }, form, of) }
  }
}

export type FormEvent = Pick<RequestEvent, 'locals' | 'request' | 'url'>

/** `of` names the form, if the page has several of one action; `also` is what its row of the table (said.ts) keeps of the answer. */
type FormOptions<Value> = Pick<Attempted, 'written'> & {
  of?: ((form: FormData) => string) | undefined
  also?: ((value: Value, form: FormData) => Readonly<Record<string, string>>) | undefined
}

/**
 * A form action: `send` calls the API, and `then` returns what the page shows after success, or redirects. The next page says what was done, where
 * the table says something of it (said.ts).
 */
export function action<Event extends FormEvent, Value, Result>(
  send: (form: FormData, event: Event) => Promise<Value>,
  then: (value: Value, form: FormData, event: Event) => Result,
  { of, written, also }: FormOptions<Value> = {},
) {
  return async (event: Event): Promise<Awaited<Result> | ActionFailure<Refused>> => {
    const form = await event.request.formData()
    const answer = await attempt(send(form, event), { form, url: event.url, of: of?.(form), written })
    if (answer.failure) return answer.failure
    await forgetDraft(form, event)
    say({ form, name: actionAt(event.url) ?? '', also: also?.(answer.value, form) })
    const result = await then(answer.value, form, event)
    if (isActionFailure(result)) unsay()
    return result
  }
}

/** For `then` of an action: the same page again, or another one. */
export const stay = () => ({ done: true })
export const goTo = (path: string) => () => redirect(303, path)

/** An API error as a form shows it. */
export function refuse(
  { status, message, headers }: Pick<Refusal, 'status' | 'message'> & Partial<Pick<Refusal, 'headers'>>,
  form: FormData,
  of?: string,
): ActionFailure<Refused> {
  const [, name, place, words = message] = /^([a-zA-Z]\w*)(?:\.(\d+))?(?:\.\S+)?: (.+)$/s.exec(message) ?? []
  const t = readerWords()
  if (headers?.has('proof-of-work')) {
    return fail(status, { message: t('errors.proof'), typed: typed(form), of, proof: true })
  }
  const said = refusalIn(t, words, status)
  return fail(status, {
    message: place === undefined ? sentence(said) : t('errors.numbered', { number: Number(place) + 1, words: said }),
    field: name,
    typed: typed(form),
    of,
    ...(asksToConfirm(words) && { confirm: true as const }),
  })
}

/** The text fields as typed, without passwords, codes and tokens. */
export function typed(form: FormData): Record<string, string> {
  const entries = [...form].filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return Object.fromEntries(
    entries.filter(([name]) => !/password|code|^token$/i.test(name)).map(([name, text]) => [name, lines(text)]),
  )
}

const sentence = (message: string) => `${message[0]?.toUpperCase()}${message.slice(1)}`

export const signInPath = ({ pathname, search }: Pick<URL, 'pathname' | 'search'>) =>
  `/sign-in?to=${encodeURIComponent(pathname + search.replace(/^\?\/\w+&?/, '?').replace(/\?$/, ''))}`

/** A field of a form as text. */
export const field = (form: FormData, name: string): string => {
  const value = form.get(name)
  return typeof value === 'string' ? lines(value) : ''
}

/** The optional reason of a moderator. */
export const reasonIn = (form: FormData) => field(form, 'reason').trim() || undefined

/** A mailed code, without the spaces that mail programs add. */
export const codeIn = (form: FormData) => field(form, 'code').replace(/\s/g, '')

/** A field with one of a few words; the API checks it. */
export const choiceIn = <Word extends string>(form: FormData, name: string, _words: readonly Word[]) =>
  field(form, name) as Word

/** Browsers submit line breaks as CRLF (HTML, 4.10.22.4), which would count twice against a limit. */
const lines = (text: string) => text.replaceAll('\r\n', '\n')
