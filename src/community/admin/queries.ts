// What admins look at: accounts, without what nobody needs to see.
import { sql } from 'kysely'
import type { z } from 'zod'
import type { Db } from '../../database/schema.ts'
import { newestMatches } from '../../database/search.ts'
import { idsAlong, inOrder } from '../listing/listing.ts'
import type { admin } from './contract.ts'

type Filters = Pick<z.output<typeof admin.listUsers.input>, 'q' | 'role' | 'blocked'>

const blocks = {
  true: sql<boolean>`${sql.ref('user.blockedAt')} is not null`,
  false: sql<boolean>`${sql.ref('user.blockedAt')} is null`,
}

/** So many accounts are passed over row by row; farther ones are walked to first, and then read. */
const NEAR = 2_000

export function listUsers(db: Db, { q, role, blocked }: Filters, range: { offset: number; limit: number }) {
  const where = blocked === undefined ? undefined : blocks[`${blocked}`]
  const users = db.selectFrom('user').select(['user.id', 'email', 'username', 'role', 'blockedAt', 'createdAt'])
  if (!q && range.offset > NEAR) {
    const walk = { table: 'user', within: ['role', role], where, sort: 'latest' } as const
    const ids = idsAlong(db, walk, { backwards: false, ...range })
    return inOrder(users.where('user.id', 'in', ids), { of: 'user', sort: 'latest' }).execute()
  }
  const matching = users
    .$if(role !== undefined, (query) => query.where('role', '=', role!))
    .$if(where !== undefined, (query) => query.where(where!))
    .$if(Boolean(q), (query) => query.where('user.id', 'in', newestMatches(db, 'user', q!)))
  return inOrder(matching, { of: 'user', sort: 'latest' }).limit(range.limit).offset(range.offset).execute()
}
