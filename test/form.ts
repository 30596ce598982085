// A form as a browser without script sends it.
import type { Person } from './world.ts'

/** Submits `fields` to `path` as this person; redirects are not followed. */
export function submit(
  person: Person,
  path: string,
  fields: Record<string, string> | URLSearchParams,
  headers: Record<string, string> = {},
): Promise<Response> {
  const body = new URLSearchParams(fields).toString()
  const own = {
    'Content-Type': 'application/x-www-form-urlencoded',
    'Content-Length': String(Buffer.byteLength(body)),
    Accept: 'text/html',
  }
  return person.request(path, { method: 'POST', headers: { ...own, ...headers }, body, redirect: 'manual' })
}
