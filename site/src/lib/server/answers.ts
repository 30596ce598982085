// What the API answers, as pages and forms need it.
import { type ActionFailure, error, fail, redirect } from '@sveltejs/kit'

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

/** Sends what a form says. A refusal comes back as a failure to show beside the field; strangers are sent to sign in. */
export async function attempt<T>(
  answer: Promise<T>,
  { form, url, of }: { form: FormData; url: URL; of?: string },
): Promise<{ value: T; failure?: undefined } | { value?: undefined; failure: ActionFailure<Refused> }> {
  try {
    return { value: await answer }
  } catch (thrown) {
    if (!isRefusal(thrown)) throw thrown
    if (thrown.status === 401 && !thrown.code) redirect(303, signInPath(url))
    return { failure: refuse(thrown, form, of) }
  }
}

/** A refusal as a form shows it. */
export function refuse(
  { status, message }: Pick<Refusal, 'status' | 'message'>,
  form: FormData,
  of?: string,
): ActionFailure<Refused> {
  const named = /^([a-zA-Z]\w*)(?:\.\S+)?: (.+)$/s.exec(message)
  return fail(status, {
    message: sentence(named?.[2] ?? message),
    field: named?.[1],
    typed: typed(form),
    of,
  })
}

/** Text fields as they were typed; never a password. */
export function typed(form: FormData): Record<string, string> {
  const entries = [...form].filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return Object.fromEntries(entries.filter(([name]) => !/password|code/i.test(name)))
}

const sentence = (message: string) => `${message[0]?.toUpperCase()}${message.slice(1)}`

export const signInPath = ({ pathname, search }: Pick<URL, 'pathname' | 'search'>) =>
  `/sign-in?to=${encodeURIComponent(pathname + search.replace(/^\?\/\w+&?/, '?').replace(/\?$/, ''))}`

/** A field of a form as text. */
export const field = (form: FormData, name: string): string => {
  const value = form.get(name)
  return typeof value === 'string' ? value : ''
}

/** A path of this site to go on to; anything else is the way home. */
export function ownPath(path: string | null | undefined, home = '/'): string {
  if (!path?.startsWith('/') || /^\/[/\\]/.test(path)) return home
  const url = URL.parse(path, 'http://site.invalid')
  return url?.host === 'site.invalid' ? url.pathname + url.search + url.hash : home
}
