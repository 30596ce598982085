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

export function listUsers(db: Db, { q, role, blocked }: Filters, range: { offset: number; limit: number }) {
  const where = blocked === undefined ? undefined : blocks[`${blocked}`]
  // What a search finds is few, and not walked along.
  const rows = q ? { having: { role }, among: [newestMatches(db, 'user', q)] } : { within: ['role', role] as const }
  const ids = idsAlong(db, { table: 'user', ...rows, where, sort: 'latest' }, { backwards: false, ...range })
  const users = db
    .selectFrom('user')
    .select(['user.id', 'email', 'username', 'role', 'blockedAt', 'createdAt'])
    .where('user.id', 'in', ids)
  return inOrder(users, { of: 'user', sort: 'latest' }).execute()
}
