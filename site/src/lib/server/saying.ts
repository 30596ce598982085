// What was just done, for the next page that its reader sees: told once. The browser keeps the name of a row of the table (said.ts) and what that row
// keeps, never a sentence.
import type { RequestEvent } from '@sveltejs/kit'
import { ownPath } from '#lib/own-path.ts'
import { actOf, type Done, keptOf, type Saying, sayingOf } from '#lib/said.ts'
import { getRequestEvent } from '$app/server'

const COOKIE = 'done'
const SECONDS = 60

interface Sent {
  form: FormData
  /** The name of the action; empty for a form without a page of its own. */
  name: string
  /** What the form does not have, such as the account that the answer names. */
  also?: Readonly<Record<string, string>> | undefined
  /** Where the form was sent from; the page of the action where it is left out. */
  at?: string
}

/** Notes what was done, where the table says something of it. */
export function say({ form, name, also = {}, at }: Sent): void {
  const { cookies, route, url } = getRequestEvent()
  const row = actOf(route.id ?? '', name)
  if (!row) return
  const kept = keptOf(row, [...form, ...Object.entries(also)])
  const done: Done = { route: route.id ?? '', act: name, at: at ?? url.pathname, kept }
  if (!sayingOf(done)) return
  const secure = url.protocol === 'https:'
  cookies.set(COOKIE, JSON.stringify(done), { path: '/', maxAge: SECONDS, httpOnly: true, sameSite: 'strict', secure })
}

/** Forgets what was noted, where it was refused after all. */
export function unsay(): void {
  const { cookies } = getRequestEvent()
  if (cookies.get(COOKIE) !== undefined) cookies.delete(COOKIE, { path: '/' })
}

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')

/** What a page says, which is forgotten with that. */
export function takeSaying({ cookies }: Pick<RequestEvent, 'cookies'>): Saying | undefined {
  const text = cookies.get(COOKIE)
  if (text === undefined) return undefined
  cookies.delete(COOKIE, { path: '/' })
  try {
    const { route, act, at, kept } = Object(JSON.parse(text)) as Partial<Record<keyof Done, unknown>>
    const row = actOf(textIn(route), textIn(act))
    const place = ownPath(textIn(at))
    return row && sayingOf({ route: textIn(route), act: textIn(act), at: place, kept: keptOf(row, entriesIn(kept)) })
  } catch {
    return undefined
  }
}

const entriesIn = (kept: unknown): [string, unknown][] =>
  typeof kept === 'object' && kept !== null ? Object.entries(kept) : []
