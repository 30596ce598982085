// Forms of the pages of the authorization server, as a browser sends them.
import type { Person } from './world.ts'

export const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }

/** Sends a form to a page; `path` is below the origin. */
export const submit = (
  person: Person,
  path: string,
  form: Record<string, string>,
  headers: Record<string, string> = {},
) =>
  person.request(path, { method: 'POST', headers: { ...FORM, ...headers }, body: new URLSearchParams(form).toString() })

/** The request that a page was shown, for the field that sends it back. */
export const query = (url: URL): string => url.search.slice(1)
