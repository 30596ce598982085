// Many votes at once, which share transactions: each has its own result, and scores are the sums of the votes.

import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { assertSound } from '../../../test/sound.ts'
import { refusal, visit } from '../../../test/visitor.ts'
import { makeWorld, onEveryEngine, type Person, type World } from '../../../test/world.ts'
import { engineOf } from '../../database/engine.ts'
import { openPostgres } from '../../database/postgres.ts'
import { required } from '../../runtime/untyped.ts'

type Value = 1 | -1 | 0

const crash = { title: 'Crash', description: 'It stops on start', severity: 'high' } as const
const MISSING = '01890000-0000-7000-8000-000000000000'

async function crowd({ person }: World, count: number): Promise<Person[]> {
  const people = Array.from({ length: count }, (_, n) => person(`voter${n}`))
  await Promise.all(people.map((one) => one.account()))
  return people
}

async function sumOfVotes({ db }: World, targetId: string): Promise<number> {
  const rows = await db.selectFrom('vote').select('value').where('targetId', '=', targetId).execute()
  return rows.reduce((sum, { value }) => sum + value, 0)
}

/** The score of a bug, in its row, in the feed and by its votes: all the same. */
async function scoreOf(world: World, id: string): Promise<number> {
  const { score } = await world.alice.bugs.get({ id })
  const entry = await world.db.selectFrom('feedEntry').select('score').where('id', '=', id).executeTakeFirstOrThrow()
  assert.deepEqual([entry.score, await sumOfVotes(world, id)], [score, score])
  return score
}

/** Makes the database refuse the votes of an account. */
async function refuseVotesOf({ db }: World, userId: string): Promise<void> {
  const run = (text: string) => sql.raw(text).execute(db)
  if (engineOf(db) === 'sqlite') {
    await run(`create trigger refused before insert on vote when new."userId" = '${userId}'
      begin select raise(abort, 'refused'); end`)
    return
  }
  // A distributed table has no triggers.
  await run(`alter table vote add constraint refused check ("userId" <> '${userId}')`)
}

onEveryEngine('votes that share a transaction', (it) => {
  it('of 100 people who change their minds are each counted once', async (world) => {
    const people = await crowd(world, 100)
    const { id } = await world.alice.bugs.create(crash)
    const votes = people.flatMap((one, n) =>
      [1, -1, n % 3 === 0 ? 0 : 1].map((value) => [one, value as Value] as const),
    )
    const vote = async ([one, value]: readonly [Person, Value]) => {
      assert.equal((await one.bugs.vote({ id, value })).myVote, value)
    }
    await Promise.all(votes.map(vote))
    await scoreOf(world, id)
    await Promise.all(people.map((one, n) => vote([one, n % 4 === 0 ? -1 : 1])))
    assert.equal(await scoreOf(world, id), 50)
    await assertSound(world)
  })

  it('of one person each say the score after it, and the last one stays', async (world) => {
    const { alice, bob } = world
    const { id } = await alice.bugs.create(crash)
    await bob.account()
    const values = [1, -1, 0, 1, 1, -1, 0, -1, 1] as const
    const results = await Promise.all(values.map((value) => bob.bugs.vote({ id, value })))
    assert.deepEqual(
      results,
      values.map((value) => ({ score: value, myVote: value })),
    )
    assert.equal(await scoreOf(world, id), (await bob.bugs.get({ id })).myVote)
  })

  it('have one that finds nothing in between, and the others count', async (world) => {
    const { alice } = world
    const people = await crowd(world, 9)
    const bugs = [await alice.bugs.create(crash), await alice.bugs.create(crash)]
    const ids = [...bugs.map(({ id }) => id), MISSING]
    const outcomes = await Promise.allSettled(people.map((one, n) => one.bugs.vote({ id: ids[n % 3]!, value: 1 })))
    const statuses = outcomes.map((one) => (one.status === 'fulfilled' ? 200 : one.reason.status))
    assert.deepEqual(statuses, [200, 200, 404, 200, 200, 404, 200, 200, 404])
    for (const { id } of bugs) assert.equal(await scoreOf(world, id), 3)
    assert.equal(await sumOfVotes(world, MISSING), 0)
  })

  it('race the removal of their target and blocks of voters, and nothing is left behind', async (world) => {
    const { alice, admin, db } = world
    const people = await crowd(world, 20)
    await admin.account()
    const kept = await alice.bugs.create(crash)
    for (let round = 0; round < 4; round++) {
      const gone = await alice.bugs.create(crash)
      const vote = (id: string) => people.map((one, n) => one.bugs.vote({ id, value: n % 2 ? 1 : -1 }))
      const blocked = required(people[round])
      const outcomes = await Promise.allSettled([
        ...vote(gone.id),
        ...vote(kept.id),
        admin.bugs.delete({ id: gone.id }),
        blocked.account().then(({ id }) => admin.admin.block({ id, blocked: true })),
        ...vote(kept.id),
        ...vote(gone.id),
      ])
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') assert.ok([401, 403, 404].includes(outcome.reason.status), outcome.reason)
      }
      assert.equal((await refusal(blocked.bugs.vote({ id: kept.id, value: 0 }))).status, 401)
      assert.equal(await sumOfVotes(world, gone.id), 0)
      await scoreOf(world, kept.id)
    }
    const ids = await db.selectFrom('bug').select('id').execute()
    assert.deepEqual(ids, [{ id: kept.id }])
    await assertSound(world)
  })

  it('of orgs count in the library too', async (world) => {
    const people = await crowd(world, 12)
    const orgs = await Promise.all(
      ['First', 'Second'].map((name) =>
        world.alice.orgs.create({ orgJson: JSON.stringify({ name, roles: [{ id: 'solo' }] }) }),
      ),
    )
    await Promise.all(people.map((one, n) => one.orgs.vote({ id: orgs[n % 2]!.id, value: n < 10 ? 1 : -1 })))
    const items = await world.db.selectFrom('libraryItem').select('score').execute()
    assert.deepEqual(
      items.map(({ score }) => score),
      [4, 4],
    )
    await assertSound(world)
  })

  it('fail alone where the database refuses one of them', async (world) => {
    const people = await crowd(world, 8)
    const [bug, other] = [await world.alice.bugs.create(crash), await world.alice.bugs.create(crash)]
    await refuseVotesOf(world, (await people[5]!.account()).id)
    const outcomes = await Promise.allSettled(
      people.map((one, n) => one.bugs.vote({ id: n === 2 ? other.id : bug.id, value: 1 })),
    )
    const statuses = outcomes.map((one) => (one.status === 'fulfilled' ? 200 : one.reason.status))
    assert.deepEqual(statuses, [200, 200, 200, 200, 200, 500, 200, 200])
    assert.deepEqual([await scoreOf(world, bug.id), await scoreOf(world, other.id)], [6, 1])
  })

  it('on a target that stays locked are refused, and the others do not wait for it', async (world) => {
    if (engineOf(world.db) === 'sqlite') return
    const url = new URL(world.databaseUrl)
    url.searchParams.set('lock_timeout', '4000')
    const { db } = openPostgres(url.href)
    const hasty = await makeWorld({ db, url: url.href }, { BLOB_URL: world.dependencies.config.blobUrl })
    try {
      const people = await crowd(hasty, 4)
      const [stuck, free] = [await hasty.alice.bugs.create(crash), await hasty.alice.bugs.create(crash)]
      await world.db.transaction().execute(async (transaction) => {
        await transaction.updateTable('bug').set({ title: 'Stuck' }).where('id', '=', stuck.id).execute()
        let isRefused = false
        const waiting = [0, 1].map(async (n) => {
          const error = await refusal(people[n]!.bugs.vote({ id: stuck.id, value: 1 }))
          isRefused = true
          return error.status
        })
        for (const value of [1, -1, 1] as const) {
          await Promise.all(people.map((one) => one.bugs.vote({ id: free.id, value })))
        }
        assert.equal(isRefused, false)
        assert.deepEqual(await Promise.all(waiting), [503, 503])
      })
      assert.deepEqual([await scoreOf(hasty, stuck.id), await scoreOf(hasty, free.id)], [0, 4])
    } finally {
      await db.destroy()
    }
  })
})

onEveryEngine(
  'budgets of votes that share a transaction',
  (it) => {
    it('let through as many of each account as they allow, and say so to each vote', async (world) => {
      const { alice } = world
      const bugs = await Promise.all(Array.from({ length: 5 }, () => alice.bugs.create(crash)))
      const ann = await visit(world, 'ann', { address: '192.0.2.1' })
      const ben = await visit(world, 'ben', { address: '198.51.100.2' })
      const send = (who: typeof ann, id: string) =>
        who.send(
          new Request(`${world.dependencies.config.baseUrl}/api/community/bugs/${id}/vote`, {
            method: 'POST',
            headers: { 'Content-Type': 'application/json' },
            body: '{"value":1}',
          }),
        )
      const ids = bugs.map(({ id }) => id)
      const sent = ids.map((id) => send(ann, id))
      const [missing, ...others] = await Promise.all([
        send(ann, MISSING),
        ...ids.slice(0, 2).map((id) => send(ben, id)),
      ])
      const answers = await Promise.all(sent)
      assert.equal(missing!.status, 404)
      assert.deepEqual(
        others.map(({ status }) => status),
        [200, 200],
      )
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 200, 429, 429])
      const left = ({ headers }: Response) => headers.get('ratelimit')?.match(/^"votes-hour";r=(\d+);t=\d+$/)?.[1]
      assert.deepEqual(others.map(left).sort(), ['1', '2'])
      assert.deepEqual(answers.map(left).sort(), ['0', '0', '0', '1', '2'])
      for (const { headers, status } of [...answers, ...others]) {
        assert.equal(headers.get('ratelimit-policy'), '"votes-hour";q=3;w=3600')
        assert.equal(headers.has('retry-after'), status === 429)
      }
      const counted = await world.db.selectFrom('rateLimit').select('count').where('key', 'like', 'votes:%').execute()
      assert.deepEqual(counted.map(({ count }) => count).sort(), [2, 2, 3, 3])
    })
  },
  { RATE_LIMITS: 'on', BUDGETS: 'votes: 3/hour, 3/hour' },
)
