// Reports of agents that wait to be compared with older ones.
import { type Bind, prepared } from '../../database/prepared.ts'
import { inTransaction, plain } from '../../database/rows.ts'
import type { Db } from '../../database/schema.ts'

export const insertCheck = inTransaction.insertInto('floodCheck')

const waiting = prepared((db, given: Bind<{ limit: number }>) =>
  db
    .selectFrom('floodCheck')
    .select(['id as key', 'createdAt as since'])
    .orderBy('createdAt')
    .orderBy('id')
    .limit(given('limit')),
)

/** Those that wait, the longest first. */
export const listWaiting = async (db: Db, limit: number) => (await waiting(db, { limit })).rows

export const findCheck = plain.selectFrom('floodCheck', 'id', ['id', 'type'])
export const deleteCheck = plain.deleteFrom('floodCheck', 'id')
