// Ids of votes on PostgreSQL: of a type for them in a new database, and text in one that had members before. Both are voted in, and what is
// no id is not found.
import assert from 'node:assert/strict'
import { it as alone } from 'node:test'
import { strFromU8, unzipSync } from 'fflate'
import { sql } from 'kysely'
import { onPostgres } from '../../test/databases.ts'
import { erase } from '../../test/erasure.ts'
import { workflowFile } from '../../test/library.ts'
import { migrateUntil } from '../../test/old-databases.ts'
import { assertSound } from '../../test/sound.ts'
import { temporaryDirectory } from '../../test/temporary.ts'
import { makeWorld, onEveryEngine, type Person, type World } from '../../test/world.ts'
import { newId } from '../runtime/ids.ts'
import { required } from '../runtime/untyped.ts'
import { migrate } from './migrate.ts'
import type { Db } from './schema.ts'
import { amongVoteIds, voteId } from './vote-ids.ts'

const MIGRATION = '0002-uuid-votes'
const crash = { title: 'Crash', description: 'It stops on start', severity: 'high' } as const
const missing = { status: 404 }

async function typesOf(db: Db): Promise<unknown> {
  const { rows } = await sql<{ type: string }>`select format_type(atttypid, null) as type from pg_attribute
    where attrelid = 'vote'::regclass and attnum > 0 order by attnum`.execute(db)
  return rows.map(({ type }) => type)
}

/** Brings an empty database to what the release before made. */
async function migrateAsBefore(db: Db): Promise<void> {
  await db.schema.dropSchema('public').cascade().execute()
  await db.schema.createSchema('public').execute()
  await migrateUntil(db, MIGRATION)
}

async function votesIn(person: Person, { app }: World): Promise<unknown> {
  const { id } = await person.dataExports.request()
  await app.work()
  const response = await person.dataExports.download({ id })
  const files = unzipSync(new Uint8Array(await response.arrayBuffer()))
  return JSON.parse(strFromU8(required(files['votes.json'])))
}

/** Everything that touches votes. */
async function voteInMany(world: World): Promise<void> {
  const { alice, bob, moderator, anonymous, person } = world
  const [first, second] = [await alice.bugs.create(crash), await alice.bugs.create(crash)]
  for (const value of [1, 0, -1, 1] as const) assert.equal((await bob.bugs.vote({ id: first.id, value })).score, value)
  await bob.bugs.vote({ id: second.id, value: 1 })
  await alice.bugs.vote({ id: first.id, value: 1 })
  const seen = (await bob.bugs.list()).items.map(({ id, myVote }) => [id, myVote])
  assert.deepEqual(new Map(seen as [string, number][]), new Map([first, second].map(({ id }) => [id, 1])))
  await moderator.bugs.merge({ id: first.id, into: second.id })
  assert.equal((await anonymous.bugs.get({ id: second.id })).score, 2)
  await assertSound(world)
  await moderator.bugs.undoMerge({ id: first.id })
  const scores = [first, second].map(({ id }) => anonymous.bugs.get({ id }).then(({ score }) => score))
  assert.deepEqual(await Promise.all(scores), [2, 1])
  await assertSound(world)
  const voted = [first, second].map(({ id }) => ({
    targetId: id,
    value: 1,
    onTitle: 'Crash',
    onUrl: `/community/bugs/${id}`,
  }))
  const told = (await votesIn(bob, world)) as { targetId: string }[]
  assert.deepEqual(
    told,
    voted.toSorted((a, b) => (a.targetId < b.targetId ? -1 : 1)),
  )
  const carol = person('carol')
  await carol.bugs.vote({ id: second.id, value: -1 })
  await moderator.bugs.delete({ id: first.id })
  await erase(world, bob)
  assert.equal((await anonymous.bugs.get({ id: second.id })).score, -1)
  await assertSound(world)
}

onPostgres('votes on PostgreSQL', (open) => {
  const it = (sentence: string, test: (world: World, before: boolean) => Promise<void>, before = false) =>
    alone(`${sentence}, ${before ? 'where members were before' : 'in a new database'}`, async (t) => {
      const database = await open()
      t.after(() => database.remove())
      if (before) await migrateAsBefore(database.db)
      const world = await makeWorld(database, { BLOB_URL: `file:${await temporaryDirectory(t)}` })
      if (before) {
        await world.alice.account()
        await migrate(database.db)
      }
      await test(world, before)
    })

  for (const before of [false, true]) {
    it(
      'have ids of their type',
      async ({ db }) => {
        const id = before ? 'text' : 'uuid'
        assert.deepEqual(await typesOf(db), [id, id, 'integer'])
      },
      before,
    )
    it('are cast, listed, merged, exported and erased', voteInMany, before)
    it(
      'are found by an index',
      async ({ db }) => {
        const [id, other] = [newId(), newId()]
        const found = db
          .selectFrom('vote')
          .select('value')
          .where('targetId', ...amongVoteIds(db, JSON.stringify([id, other])))
          .where('userId', '=', voteId(db, id))
        const joined = db
          .selectFrom('bug')
          .select('bug.id')
          .innerJoin('vote', (on) => on.on('vote.targetId', '=', voteId(db, sql.ref('bug.id'))))
        // In an empty table that was vacuumed one way costs what another does.
        await db.transaction().execute(async (transaction) => {
          await sql`set local session_replication_role = replica`.execute(transaction)
          const one = sql.raw(`gen_random_uuid()::${before ? 'text' : 'uuid'}`)
          await sql`insert into vote select ${one}, ${one}, 1 from generate_series(1, 2000)`.execute(transaction)
          await sql`analyze vote`.execute(transaction)
        })
        for (const query of [found, joined]) {
          const plan = await db.transaction().execute(async (transaction) => {
            for (const way of ['seqscan', 'hashjoin', 'mergejoin'])
              await sql.raw(`set local enable_${way} = off`).execute(transaction)
            return JSON.stringify(await transaction.executeQuery(sql`explain ${query}`.compile(transaction)))
          })
          assert.match(plan, /Index Cond: .*targetId/)
          assert.doesNotMatch(plan, /voteId/, 'the function is part of the statement')
        }
      },
      before,
    )
  }

  it('of a database with votes and no member stay text', async ({ db }) => {
    await migrateAsBefore(db)
    await sql`insert into vote values ('x', 'y', 1)`.execute(db)
    await migrate(db)
    assert.deepEqual(await typesOf(db), ['text', 'text', 'integer'])
  })
})

onEveryEngine('a vote', (it) => {
  it('on what is no id finds nothing, as on an id of nothing', async ({ alice, bob }) => {
    const bug = await bob.bugs.create(crash)
    const item = await bob.library.publish({ kind: 'workflow', visibility: 'public', file: workflowFile() })
    const wrong = [
      'x',
      '0',
      '%00',
      "'",
      bug.id.slice(1),
      `${bug.id}0`,
      bug.id.replaceAll('-', ''),
      `{${bug.id}}`,
      'ü'.repeat(200),
    ]
    for (const id of [...wrong, bug.id.toUpperCase(), bug.id.replace(/^./, 'f')]) {
      for (const vote of [
        alice.bugs.vote,
        alice.features.vote,
        alice.posts.vote,
        alice.library.vote,
        alice.orgs.vote,
      ]) {
        for (const value of [1, 0] as const) await assert.rejects(vote({ id, value }), missing, id)
      }
      await assert.rejects(alice.bugs.get({ id }), missing, id)
    }
    assert.equal((await alice.bugs.vote({ id: bug.id, value: 1 })).score, 1)
    assert.equal((await alice.library.vote({ id: item.id, value: 1 })).score, 1)
  })
})
