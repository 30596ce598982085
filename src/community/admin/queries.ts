// What admins look at: accounts, without what nobody needs to see.
import type { z } from 'zod'
import type { Db } from '../../database/schema.ts'
import { newestMatches } from '../../database/search.ts'
import { inOrder } from '../listing/listing.ts'
import type { admin } from './contract.ts'

type Filters = Pick<z.output<typeof admin.listUsers.input>, 'q' | 'role' | 'blocked'>

export function listUsers(db: Db, { q, role, blocked }: Filters, { offset, limit }: { offset: number; limit: number }) {
  const matching = db
    .selectFrom('user')
    .select(['user.id', 'email', 'username', 'role', 'blockedAt', 'createdAt'])
    .$if(role !== undefined, (query) => query.where('role', '=', role!))
    .$if(blocked !== undefined, (query) => query.where('blockedAt', blocked ? 'is not' : 'is', null))
    .$if(Boolean(q), (query) => query.where('user.id', 'in', newestMatches(db, 'user', q!)))
  return inOrder(matching, { of: 'user', sort: 'latest' }).limit(limit).offset(offset).execute()
}
