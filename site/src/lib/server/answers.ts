// What the API answers, as pages and forms need it.
import { type ActionFailure, error, fail, redirect } from '@sveltejs/kit'
import { SESSION_OVER } from '../../enhance/refusal.ts'

/** A refusal of the typed client (src/surfaces/client): known by its shape, so that the client stays out of the site's build. */
interface Refusal {
  name: 'ApiError'
  status: number
  message: string
  code?: string
  headers: Headers
}

const isRefusal = (thrown: unknown): thrown is Refusal => thrown instanceof Error && thrown.name === 'ApiError'

/** What a page needs; when the API says no, the page is an error page with that status. */
export async function found<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (thrown) {
    if (isRefusal(thrown)) error(thrown.status, thrown.message)
    throw thrown
  }
}

/** What a form gets back when it was refused: one sentence, by the field it belongs to, and what had been typed. */
export interface Refused {
  message: string
  field?: string
  typed: Record<string, string>
  /** Which form, where a page has several. */
  of?: string
}

interface Attempted {
  form: FormData
  url: URL
  of?: string
  /** Whether something is written in the form that a person would not like to write again. */
  written?: boolean
}

/**
 * Sends what a form says. A refusal comes back as a failure to show beside the field; strangers are sent to sign in, unless they
 * have written something: then the form is shown again as it is.
 */
export async function attempt<T>(
  answer: Promise<T>,
  { form, url, of, written = false }: Attempted,
): Promise<{ value: T; failure?: undefined } | { value?: undefined; failure: ActionFailure<Refused> }> {
  try {
    return { value: await answer }
  } catch (thrown) {
    if (!isRefusal(thrown)) throw thrown
    if (thrown.status !== 401 || thrown.code) return { failure: refuse(thrown, form, of) }
    if (!written) redirect(303, signInPath(url))
    return { failure: refuse({ status: 401, message: SESSION_OVER }, form, of) }
  }
}

/** A refusal as a form shows it. */
export function refuse(
  { status, message }: Pick<Refusal, 'status' | 'message'>,
  form: FormData,
  of?: string,
): ActionFailure<Refused> {
  const [, name, place, words = message] = /^([a-zA-Z]\w*)(?:\.(\d+))?(?:\.\S+)?: (.+)$/s.exec(message) ?? []
  return fail(status, {
    message: place === undefined ? sentence(words) : `Number ${Number(place) + 1} ${words}`,
    field: name,
    typed: typed(form),
    of,
  })
}

/** Text fields as they were typed; never a password. */
export function typed(form: FormData): Record<string, string> {
  const entries = [...form].filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return Object.fromEntries(
    entries.filter(([name]) => !/password|code/i.test(name)).map(([name, text]) => [name, lines(text)]),
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

/** A browser that sends a form by itself ends lines with both characters, one of them too many for a limit (HTML, 4.10.22.4). */
const lines = (text: string) => text.replaceAll('\r\n', '\n')
