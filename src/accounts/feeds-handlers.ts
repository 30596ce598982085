// The key of the caller's own feeds: its value is in one response.
import { record } from '../audit/audit.ts'
import { feedKeyActions } from '../identity/audit-actions.ts'
import { issuedNow } from '../identity/credentials.ts'
import { deleteFeedKeyOf, findFeedKeyOf, replaceFeedKey } from '../identity/feed-key-queries.ts'
import { newFeedKey } from '../identity/feed-keys.ts'
import { limit } from '../identity/guesses.ts'
import { limits } from '../identity/rules.ts'
import { lockCaller } from '../identity/sessions.ts'
import type { Handlers } from '../request/handler.ts'
import type { feeds } from './feeds-contract.ts'

/** The feeds and calendars of the whole; every other one takes the key too. */
const FEEDS = {
  community: '/feed.atom',
  library: '/library.atom',
  changelog: '/community/changelog.atom',
  blog: '/blog.atom',
  search: '/search.atom',
  'roadmap calendar': '/calendar/roadmap.ics',
  'releases calendar': '/calendar/releases.ics',
}

export const handlers: Handlers<typeof feeds> = {
  async show({ db, caller }) {
    return { createdAt: (await findFeedKeyOf(db, caller.id)) ?? null }
  },

  async renew(context) {
    const { caller, now, address, config } = context
    await limit(context, `feed-key:${caller.id}`, limits.feedKeysByAccount)
    const { key, skillKey, hash } = await newFeedKey(context)
    const createdAt = await context.db.transaction().execute(async (db) => {
      const user = await lockCaller(context, db)
      const made = issuedNow(user, now)
      await replaceFeedKey(db, { userId: user.id, hash, createdAt: made })
      const act = { actorId: user.id, targetType: 'user', targetId: user.id, detail: {}, address }
      await record(db, now, { ...act, action: feedKeyActions.renew })
      return made
    })
    const feeds = Object.entries(FEEDS).map(([name, path]) => ({ name, url: `${config.baseUrl}${path}?key=${key}` }))
    return { createdAt, key, feeds, skills: { url: `${config.baseUrl}/skills/${skillKey}` } }
  },

  async end(context) {
    const { caller, now, address } = context
    const ended = await context.db.transaction().execute(async (db) => {
      const user = await lockCaller(context, db)
      const count = await deleteFeedKeyOf(db, user.id)
      const act = { actorId: caller.id, targetType: 'user', targetId: user.id, detail: {}, address }
      if (count > 0) await record(db, now, { ...act, action: feedKeyActions.end })
      return count > 0
    })
    return { ended }
  },
}
