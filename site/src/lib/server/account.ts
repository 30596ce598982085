// What the pages of an account share: where signing in leads, and refusals in words that say what to do next.
import { redirect } from '@sveltejs/kit'
import { BLOCKED, retry } from '#lib/features/account/words.ts'
import { ownPath } from '../own-path.ts'

/** Where somebody was going when they were asked to sign in. */
export const destination = (url: URL): string => ownPath(url.searchParams.get('to'))

/** Where a member goes on: where they were going, by way of a username if they have none. */
export function nextStep({ username }: { username: string | null }, url: URL): string {
  const to = destination(url)
  return username ? to : `/onboarding?to=${encodeURIComponent(to)}`
}

/** Signed in: on to the next step. */
export function arrive(user: { username: string | null }, url: URL): never {
  redirect(303, nextStep(user, url))
}

/** Sends a member whose last credential is too long ago to `place`, where they confirm that it is them. */
export async function confirmed<T>(answer: Promise<T>, place: string): Promise<T> {
  return answer.catch((thrown: unknown) => {
    if (isRefusal(thrown) && thrown.code === 'reauthentication_required') redirect(303, place)
    throw thrown
  })
}

/** A refusal of the typed client; see answers.ts. */
interface Refusal extends Error {
  status: number
  code?: string
  headers: Headers
}

const isRefusal = (thrown: unknown): thrown is Refusal => thrown instanceof Error && thrown.name === 'ApiError'
const namesField = ({ message }: Refusal) => /^[a-zA-Z]\w*(\.\S+)?: /.test(message)

/** Says of a limit how long it lasts, and of a block what can be done. What is wrong with no field named is wrong with `about`. */
export async function worded<T>(answer: Promise<T>, about?: string): Promise<T> {
  return answer.catch((thrown: unknown) => {
    if (isRefusal(thrown)) thrown.message = sentence(thrown, about)
    throw thrown
  })
}

function sentence(refusal: Refusal, about?: string): string {
  const { status, code, message, headers } = refusal
  if (status === 429) return `Too many attempts. ${retry(Number(headers.get('retry-after')))}`
  if (code === 'blocked' || message === 'Account blocked') return BLOCKED
  if (message === 'Forbidden') return "You don't have permission to do this."
  const named = about && !namesField(refusal) && status < 500 ? `${about}: ${message}` : message
  return named.replace(/^(\S+: )is /, '$1it is ')
}

/** For operations that need a session: one that is over means signing in again, which `attempt` sees to. */
export async function inSession<T>(answer: Promise<T>, about?: string): Promise<T> {
  return worded(answer, about).catch((thrown: unknown) => {
    if (isRefusal(thrown) && thrown.status === 401 && !namesField(thrown)) thrown.code = undefined
    throw thrown
  })
}
