// The last step after a sign-up: people to follow, and what to do first.
import { destination } from '#lib/server/account.ts'
import { found } from '#lib/server/answers.ts'
import { signedIn } from '#lib/server/writing.ts'
import type { PageServerLoad } from './$types'

const LOOKED_AT = 40
const SHOWN = 6

export const load: PageServerLoad = async (event) => {
  const { api } = event.locals
  const user = await signedIn(event)
  const [{ items: recent }, { items: followed }] = await Promise.all([
    found(api.feed.list({ type: 'all', per_page: LOOKED_AT })),
    found(api.follows.list({ of: 'members', per_page: 100 })),
  ])
  const others = recent.filter(({ authorId }) => authorId !== user.id).map(({ authorId }) => authorId)
  const ids = [...new Set(others)].slice(0, SHOWN)
  const { items } = ids.length > 0 ? await found(api.members.cards({ ids: ids.join() })) : { items: [] }
  const following = new Set(followed.map(({ id }) => id))
  const people = items
    .toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))
    .map((member) => ({ ...member, state: following.has(member.id) ? ('following' as const) : ('none' as const) }))
  return { to: destination(event.url), people }
}
