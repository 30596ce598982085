// Whether the reader of a page follows its thing.
import type { RequestEvent } from '@sveltejs/kit'
import type { Answer } from '#lib/api.ts'

/** Undefined for anonymous users, and for what cannot be followed. */
export async function followOf(
  { locals }: Pick<RequestEvent, 'locals'>,
  id: string,
): Promise<Answer<'follows.get'>['state'] | undefined> {
  if (!(await locals.user())) return undefined
  return locals.api.follows.get({ id }).then(
    ({ state }) => state,
    () => undefined,
  )
}
