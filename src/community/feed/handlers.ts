import type { Handlers } from '../../handler.ts'
import { withMyVotes } from '../votes/votes.ts'
import type { feed } from './contract.ts'
import { listEntriesOf, pageOfFeed } from './feed.ts'

/** interface.md leaves the size of a feed page open; behaviour.md, section 2, sets it. */
const PAGE_SIZE = 20

export const handlers: Handlers<typeof feed> = {
  async list({ db, caller }, { sort, page, authorId }) {
    const range = { offset: page * PAGE_SIZE, limit: PAGE_SIZE + 1 }
    const found = await (authorId === undefined
      ? pageOfFeed(db, sort, range)
      : listEntriesOf(db, authorId, sort, range))
    const items = await withMyVotes(db, caller, found.slice(0, PAGE_SIZE))
    return { items, hasMore: found.length > PAGE_SIZE }
  },
}
