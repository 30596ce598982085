// Shared by the account pages: where a sign-in leads, and errors that say what to do next.
import { redirect } from '@sveltejs/kit'
import { retry } from '#lib/features/account/words.ts'
import { ownPath } from '../own-path.ts'
import { type Refusal, readerWords, refusedAs } from './answers.ts'

/** The page to open after the sign-in. */
export const destination = (url: URL): string => ownPath(url.searchParams.get('to'))

/** The next page of a member: the destination, or the choice of a username first. */
export function nextStep({ username }: { username: string | null }, url: URL): string {
  const to = destination(url)
  return username ? to : `/onboarding?to=${encodeURIComponent(to)}`
}

/** Redirects to the next step after a sign-in. */
export function arrive(user: { username: string | null }, url: URL): never {
  redirect(303, nextStep(user, url))
}

/** Redirects to `place` when the API requires reauthentication. */
export const confirmed = <T>(answer: Promise<T>, place: string): Promise<T> =>
  refusedAs(answer, ({ code }) => code === 'reauthentication_required' && redirect(303, place))

const namesField = ({ message }: Refusal) => /^[a-zA-Z]\w*(\.\S+)?: /.test(message)

/** Rewords limits and blocks. An error that names no field is about the field `about`. */
export const worded = <T>(answer: Promise<T>, about?: string): Promise<T> =>
  refusedAs(answer, (refusal) => {
    refusal.message = sentence(refusal, about)
  })

function sentence(refusal: Refusal, about?: string): string {
  const { status, code, message, headers } = refusal
  const t = readerWords()
  if (status === 429) return t('errors.tooMany', { retry: retry(t, Number(headers.get('retry-after'))) })
  if (code === 'blocked' || message === 'Account blocked') return t('errors.blocked')
  if (message === 'Forbidden') return t('errors.noPermission')
  const named = about && !namesField(refusal) && status < 500 ? `${about}: ${message}` : message
  return named.replace(/^(\S+: )is /, '$1it is ')
}

/** For operations that need a session: when it has ended, `attempt` asks the member to sign in again. */
export const inSession = <T>(answer: Promise<T>, about?: string): Promise<T> =>
  refusedAs(worded(answer, about), (refusal) => {
    if (refusal.status === 401 && !namesField(refusal)) refusal.code = undefined
  })
