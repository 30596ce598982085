// What agents want to write, and how it ended.
import { found } from '#lib/server/answers.ts'
import { signedIn } from '#lib/server/writing.ts'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = async (event) => {
  await signedIn(event)
  const before = event.url.searchParams.get('before') ?? undefined
  const { items, next } = await found(event.locals.api.pendingActs.list({ before, per_page: 24 }))
  return {
    waiting: items.filter(({ state }) => state === 'waiting'),
    earlier: items.filter(({ state }) => state !== 'waiting'),
    next,
  }
}
