// What agents want to write, and how it ended.
import { found } from '#lib/server/answers.ts'
import { glimpse } from '#lib/server/lists.ts'
import { signedIn } from '#lib/server/writing.ts'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = async (event) => {
  await signedIn(event)
  const before = event.url.searchParams.get('before') ?? undefined
  const page = await found(event.locals.api.pendingActs.list({ before, per_page: 24 }))
  const items = page.items.map((act) => ({ ...act, excerpt: glimpse(act.excerpt) }))
  return {
    waiting: items.filter(({ state }) => state === 'waiting'),
    earlier: items.filter(({ state }) => state !== 'waiting'),
    next: page.next,
  }
}
