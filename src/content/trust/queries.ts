// What is known of an account for its level of trust, and which accounts are to be weighed.
import { sql } from 'kysely'
import { noticed } from '../../contract/kinds.ts'
import { among } from '../../database/engine.ts'
import type { Db } from '../../database/schema.ts'
import { textOf, voteId } from '../../database/vote-ids.ts'

/** So many of the newest things, comments and votes of an account are looked at. */
const NEWEST = 1_000
const VOTES = 5_000

/** The moments of what an account wrote and everybody sees, the newest. */
async function listWritten(db: Db, authorId: string): Promise<string[]> {
  const things = db.selectFrom('feedEntry').select('createdAt').where('authorId', '=', authorId)
  const comments = db.selectFrom('comment').select('createdAt').where('authorId', '=', authorId)
  const rows = await Promise.all([
    things.orderBy('createdAt', 'desc').limit(NEWEST).execute(),
    comments.where('hidden', '=', 0).orderBy('id', 'desc').limit(NEWEST).execute(),
  ])
  return rows.flat().map(({ createdAt }) => createdAt)
}

/** How much of an account shows, and on how many days it wrote that. */
export async function countWritten(db: Db, authorId: string): Promise<{ written: number; active: number }> {
  const moments = await listWritten(db, authorId)
  return { written: moments.length, active: new Set(moments.map((moment) => moment.slice(0, 10))).size }
}

/** How many members of level 1 or more thanked an account, up to a limit. */
export async function countThanking(db: Db, authorId: string, limit: number): Promise<number> {
  if (limit === 0) return 0
  const { rows } = await sql<{ userId: string }>`
    select distinct thanks."userId" from (
      select "userId" from (select ${textOf('userId')} as "userId" from (
          select id from "feedEntry" where "authorId" = ${authorId} order by "createdAt" desc limit ${sql.lit(NEWEST)}) as own
        join vote on vote."targetId" = ${voteId(db, sql.ref('own.id'))} where vote.value = 1 limit ${sql.lit(VOTES)}) as voted
      union all
      select "userId" from (select reaction."userId" from (
          select id from comment where "authorId" = ${authorId} and hidden = 0 order by id desc limit ${sql.lit(NEWEST)}) as said
        join reaction on reaction."commentId" = said.id
        where reaction.reaction in ('thumbs_up', 'heart', 'hooray') limit ${sql.lit(VOTES)}) as reacted
      union all
      select asked."authorId" as "userId" from (
          select id, "targetId" from comment where "authorId" = ${authorId} and hidden = 0
          order by id desc limit ${sql.lit(NEWEST)}) as answer
        join "threadState" on "threadState"."solutionId" = answer.id
        join "feedEntry" as asked on asked.id = answer."targetId") as thanks
    join "user" on "user".id = thanks."userId"
    where thanks."userId" <> ${authorId} and "user".trust >= 1 and "user"."blockedAt" is null
    limit ${limit}`.execute(db)
  return rows.length
}

/** How often moderators found something against an account since then, without what was undone. */
export async function countUpheld(db: Db, accountId: string, since: string): Promise<number> {
  const acts = db.selectFrom('moderationAct').select((row) => row.fn.countAll<number>().as('count'))
  const against = acts.where('accountId', '=', accountId).where('action', 'in', [...noticed])
  const row = await against.where('undoneAt', 'is', null).where('createdAt', '>', since).executeTakeFirst()
  return Number(row?.count ?? 0)
}

interface Due {
  /** Accounts that were weighed last before then are due. */
  before: string
  limit: number
}

/** Ids of accounts to weigh: those that were not for long, and those on which moderators acted since. */
export async function listDue(db: Db, { before, limit }: Due): Promise<string[]> {
  const old = db.selectFrom('user').select('id').where('trustAt', '<', before)
  const acted = db
    .selectFrom('moderationAct as act')
    .innerJoin('user', 'user.id', 'act.accountId')
    .select('user.id')
    .where('act.createdAt', '>', before)
    .whereRef('user.trustAt', '<', 'act.createdAt')
  const rows = await Promise.all([
    acted.orderBy('act.createdAt').limit(limit).execute(),
    old.orderBy('trustAt').orderBy('id').limit(limit).execute(),
  ])
  return [...new Set(rows.flat().map(({ id }) => id))].slice(0, limit)
}

/** What accounts say of themselves. */
export const listAccounts = (db: Db, ids: readonly string[]) =>
  db
    .selectFrom('user')
    .select(['id', 'role', 'emailVerifiedAt', 'blockedAt', 'createdAt'])
    .where('id', ...among(db, JSON.stringify(ids)))
    .orderBy('id')
    .execute()
