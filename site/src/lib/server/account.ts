// What the pages of an account share: where signing in leads, and refusals in words that say what to do next.
import { redirect } from '@sveltejs/kit'
import { BLOCKED, retry } from '#lib/features/account/words.ts'
import { ownPath } from '../own-path.ts'

/** Where somebody was going when they were asked to sign in. */
export const destination = (url: URL): string => ownPath(url.searchParams.get('to'))

/** Signed in: on to where they were going, by way of a username if they have none. */
export function arrive({ username }: { username: string | null }, url: URL): never {
  const to = destination(url)
  redirect(303, username ? to : `/onboarding?to=${encodeURIComponent(to)}`)
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
  if (status === 429) return `Too many tries. ${retry(Number(headers.get('retry-after')))}`
  if (code === 'blocked' || message === 'Account blocked') return BLOCKED
  if (message === 'Forbidden') return 'Your account may not do this.'
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
