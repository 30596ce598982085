// A vote of a visitor who is not signed in: the browser keeps it for an hour, and it counts after the sign-in.
import type { RequestEvent } from '@sveltejs/kit'
import { kinds } from '#lib/ui/kinds.ts'
import { orRefusal } from './answers.ts'

const COOKIE = 'vote'
const KEPT_SECONDS = 3_600

const folders = new Set(Object.values(kinds).map(({ votes }) => votes))
const TARGET = new RegExp(`^(${[...folders].join('|')})/[\\w-]{1,200}$`)
const NOTED = /^(.+):(-?[01])$/

/** Whether a text names something that can be voted on, as the API's paths do: `bugs/<id>`. */
export const isVoteTarget = (target: string): boolean => TARGET.test(target)

type Event = Pick<RequestEvent, 'cookies' | 'locals' | 'request'>

export const hasNotedVote = ({ cookies }: Pick<Event, 'cookies'>): boolean => cookies.get(COOKIE) !== undefined

/** Keeps a vote until its reader has signed in. */
export function noteVote({ cookies }: Pick<Event, 'cookies'>, vote: { target: string; value: number }): void {
  const options = { path: '/', maxAge: KEPT_SECONDS, httpOnly: true, sameSite: 'lax' } as const
  cookies.set(COOKIE, `${vote.target}:${vote.value}`, options)
}

/** Votes what was noted, if the reader has signed in since. What is refused by now is forgotten. */
export async function castNotedVote({ cookies, locals, request }: Event): Promise<void> {
  const noted = cookies.get(COOKIE)
  if (noted === undefined || request.method !== 'GET' || !(await locals.user())) return
  cookies.delete(COOKIE, { path: '/' })
  const [, target = '', value] = NOTED.exec(noted) ?? []
  if (isVoteTarget(target)) await orRefusal(sendVote(locals, { target, value: Number(value) }))
}

/** A vote by the API: what can be voted on is called there as in its path. */
export function sendVote(locals: App.Locals, { target, value }: { target: string; value: number }): Promise<unknown> {
  const [slice, id] = target.split('/')
  return locals.send(`${slice}.vote`, { id, value })
}
