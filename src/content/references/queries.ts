// What numbers and names refer to, as it is stored: everything with a number has an entry in the feed.
import { sql } from 'kysely'
import { among, engineOf } from '../../database/engine.ts'
import { type Bind, prepared } from '../../database/prepared.ts'
import type { Db } from '../../database/schema.ts'

const columns = ['feedEntry.number', 'feedEntry.type', 'feedEntry.id', 'feedEntry.title', 'feedEntry.url'] as const
const entries = (db: Db) => db.selectFrom('feedEntry').select(columns)

const ofNobodyBlocked = sql<boolean>`not exists (select 1 from "user" where id = "feedEntry"."authorId" and "blockedAt" is not null)`

const one = prepared((db, given: Bind<{ number: number }>) =>
  entries(db).where('number', '=', given('number')).where(ofNobodyBlocked),
)

/** The number of what was merged leads to its target. */
const merged = (db: Db) =>
  db
    .selectFrom('mergedThing')
    .innerJoin('feedEntry', 'feedEntry.id', 'mergedThing.targetId')
    .select(['mergedThing.number', ...columns.slice(1)])

const oneMerged = prepared((db, given: Bind<{ number: number }>) =>
  merged(db).where('mergedThing.number', '=', given('number')).where(ofNobodyBlocked),
)

export const findNumber = async (db: Db, number: number) =>
  (await one(db, { number })).rows[0] ?? (await oneMerged(db, { number })).rows[0]

/** The elements of a JSON array of numbers. */
const numbersIn = (db: Db, array: string) =>
  engineOf(db) === 'postgres'
    ? sql<number>`(select json_array_elements_text(${array}::json)::integer)`
    : sql<number>`(select value from json_each(${array}))`

const several = prepared(
  (db, given: Bind<{ array: string }>) =>
    entries(db)
      .leftJoin('user as author', 'author.id', 'feedEntry.authorId')
      .where('number', 'in', numbersIn(db, given('array')))
      .where('author.blockedAt', 'is', null)
      .unionAll(
        merged(db)
          .leftJoin('user as author', 'author.id', 'feedEntry.authorId')
          .where('mergedThing.number', 'in', numbersIn(db, given('array')))
          .where('author.blockedAt', 'is', null),
      ),
  { cached: true },
)

/** What texts may link to with its title: nothing of a blocked account. */
export const listNumbers = async (db: Db, numbers: readonly number[]) =>
  (await several(db, { array: JSON.stringify(numbers) })).rows

const users = prepared(
  (db, given: Bind<{ keys: string }>) =>
    db
      .selectFrom('user')
      .select('username')
      .where('usernameKey', ...among(db, given('keys')))
      .where('blockedAt', 'is', null),
  { cached: true },
)

/** Those of these usernames that exist, as their accounts write them. */
export const listUsernames = async (db: Db, usernames: readonly string[]) =>
  (await users(db, { keys: JSON.stringify(usernames.map((name) => name.toLowerCase())) })).rows
