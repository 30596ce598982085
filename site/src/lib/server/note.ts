// What a form did, for the page that it leads to: told once. A page that came from a redirect can be loaded again, and nothing is done twice.
import { type RequestEvent, redirect } from '@sveltejs/kit'

/** What was done, and what is shown this once. */
export interface Note {
  done: string
  secret?: string
}

const COOKIE = 'note'
const SECONDS = 60

/** Leads to the page at `path`, which reads the note. */
export function leaveFor({ cookies, url }: Pick<RequestEvent, 'cookies' | 'url'>, path: string, note: Note): never {
  const secure = url.protocol === 'https:'
  cookies.set(COOKIE, JSON.stringify(note), { path, maxAge: SECONDS, httpOnly: true, sameSite: 'strict', secure })
  redirect(303, path)
}

/** The note for a page, which is forgotten with that. */
export function takeNote({ cookies, url }: Pick<RequestEvent, 'cookies' | 'url'>): Note | undefined {
  const text = cookies.get(COOKIE)
  if (text === undefined) return undefined
  cookies.delete(COOKIE, { path: url.pathname })
  try {
    const note: unknown = JSON.parse(text)
    return typeof note === 'object' && note !== null && 'done' in note ? (note as Note) : undefined
  } catch {
    return undefined
  }
}
