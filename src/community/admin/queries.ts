// Accounts as admins see them, without credentials.
import { sql } from 'kysely'
import type { z } from 'zod'
import { countOf } from '../../content/counter-queries.ts'
import { type Page, pageOf } from '../../content/list-pages.ts'
import { inOrder, selectIds } from '../../content/listing-queries.ts'
import type { Db } from '../../database/schema.ts'
import type { admin } from './contract.ts'

type AccountFilters = z.output<typeof admin.listUsers.input>
type AccountRow = Awaited<ReturnType<ReturnType<typeof entries>['execute']>>[number]

const entries = (db: Db) =>
  db.selectFrom('user').select(['user.id', 'email', 'username', 'role', 'blockedAt', 'deletionAt', 'createdAt'])

const blocks = {
  blocked: sql<boolean>`${sql.ref('user.blockedAt')} is not null`,
  open: sql<boolean>`${sql.ref('user.blockedAt')} is null`,
}

/** A page of accounts, newest first. */
export function pageOfUsers(
  db: Db,
  { page, per_page, cursor, q, role, blocked }: AccountFilters,
): Promise<Page<AccountRow>> {
  const state = blocked === undefined ? undefined : blocked ? 'blocked' : 'open'
  return pageOf(
    db,
    { page, per_page, cursor, sort: 'latest', q },
    {
      kind: 'account',
      // Whether an account is blocked is the shape of a query, not a value in it: each state is a filter of its own.
      filters: { q, role, ...(state && { [state]: true }) },
      count: () => countOf(db, { kind: 'account', group: 'all', facets: [role, state] }),
      scan: (on, places, pageWindow) => {
        const search = q ? { type: 'user', q } : undefined
        const where = state && blocks[state]
        return selectIds(
          on,
          { table: 'user', within: ['role', places.role], where, search, sort: 'latest' },
          pageWindow,
        )
      },
      entries: (on, ids) => inOrder(entries(on).where('user.id', ...ids), { of: 'user', sort: 'latest' }),
    },
  )
}
