// Handlers for the feed.
import type { Handlers } from '../../request/handler.ts'
import { withMyVotes } from '../votes/votes.ts'
import type { feed } from './contract.ts'
import { entriesOf, pageOfFeed } from './pages.ts'

/** interface.md leaves the size of a feed page open; behaviour.md, section 2, sets it. */
const PAGE_SIZE = 20

export const handlers: Handlers<typeof feed> = {
  async list({ db, caller }, { sort, page, authorId, type }) {
    if (authorId !== undefined) {
      const { items, hasMore } = await entriesOf(db, { authorId, type }, { sort, page, per_page: PAGE_SIZE })
      return { items: await withMyVotes(db, caller, items), hasMore: hasMore && items.length > 0 }
    }
    const found = await pageOfFeed(db, { sort, type }, { offset: page * PAGE_SIZE, limit: PAGE_SIZE + 1 })
    const items = await withMyVotes(db, caller, found.slice(0, PAGE_SIZE))
    return { items, hasMore: found.length > PAGE_SIZE }
  },
}
