// What statements about distributed tables ask: one shard, unless a reason is written here.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { distributableTables } from '../../src/database/distributed.ts'
import { openPostgres } from '../../src/database/postgres.ts'
import { required } from '../../src/runtime/untyped.ts'
import { type Cluster, skip, startCluster } from '../citus.ts'
import { makeDistributed } from '../distributed-databases.ts'
import { proveAddress } from '../mailing.ts'
import { pushed } from '../push.ts'
import { temporaryDirectory } from '../temporary.ts'
import { makeWorld, type World } from '../world.ts'

/** By words of a statement: why it may ask several shards. */
const SEVERAL: Readonly<Record<string, string>> = {
  'select "targetId", "value" from "vote"': 'the votes of a reader on all things of a page: the shards of these things',
  'select "commentId", "reaction" from "reaction"': 'the reactions of a reader to all comments of a page: their shards',
  'from "follow" as "one"': 'what an account follows, which it alone reads',
  'from json_to_recordset': 'votes of several that share a transaction',
  'delete from "vote" where ("targetId", "userId") in': 'the same, taken back',
  'delete from "reaction" where "commentId" in (select "id" from "comment"': 'a thing goes with all its comments',
  'from follow where "targetId" in ($': 'who muted the thing or its author: two shards',
  'from "notification" where "kind" = $1 and "userId" in':
    'who of several was named in a text before it was edited, in the background: their shards',
  'select "userId" from "notification" where "eventId" = $1':
    'what was told of a thing goes with it, in the background',
  'delete from notification where "eventId" = $1': 'the same',
  'select "userId", mail as mailing from notification': 'mails that are due, of all accounts, in the background',
  'from "notification" where "read" = 1 and "createdAt"': 'what was read long ago, of all accounts, in the background',
  'from "notification" where "read" = 0 and "createdAt"':
    'what was not read for long, of all accounts, in the background',
  'delete from notification\n    where ("userId", "position") in': 'the same, deleted',
  'with t as materialized': 'an export, of what an account voted on, reacted to and follows',
  'select "targetId" from "vote" where "userId"': 'an erasure, of the same',
  'select "commentId", "userId", "reaction" from "reaction" where "userId"': 'the same',
  'delete from "follow" where "userId"': 'the same',
}

/** By words of a statement that has to be among them, and to ask one shard. */
const ONE: Readonly<Record<string, string>> = {
  'from "notification" where "userId" = $1 and "mail" = $2': 'what a mail tells of (findDue)',
  'from "notification" where "userId" = $1 and "eventId" = $2': 'what is pushed (findTold)',
}

interface Asked {
  text: string
  values: unknown[]
}

const NAMES = new RegExp(`\\b(?:from|into|update|join) "?(?:${distributableTables.join('|')})"?(?![\\w"])`)

/** The statements about distributed tables that `work` makes, each once. */
async function askedIn(work: () => Promise<void>): Promise<Asked[]> {
  const asked = new Map<string, Asked>()
  const { query } = pg.Client.prototype
  pg.Client.prototype.query = function (this: pg.Client, given: Asked | string, ...rest: never[]) {
    if (typeof given === 'object' && NAMES.test(given.text)) asked.set(given.text, given)
    return Reflect.apply(query, this, [given, ...rest])
  } as never
  try {
    await work()
  } finally {
    pg.Client.prototype.query = query
  }
  return [...asked.values()]
}

/** How many shards a statement asks; undefined where the coordinator writes the rows that it has made. */
async function countShards(client: pg.Client, { text, values }: Asked): Promise<number | undefined> {
  // Citus does not plan every statement with parameters to explain it, as it does to run it.
  const literal = (value: unknown) => (value === null ? 'null' : client.escapeLiteral(String(value)))
  const given = text.replaceAll(/\$(\d+)/g, (_, number) => literal(values[Number(number) - 1]))
  const { rows } = await client.query<{ 'QUERY PLAN': unknown }>(`explain (format json, costs off) ${given}`)
  const plan = JSON.stringify(required(rows[0])['QUERY PLAN'])
  if (plan.includes('pull to coordinator')) return undefined
  const counts = [...plan.matchAll(/"Task Count":(\d+)/g)].map(([, count]) => Number(count))
  assert.ok(counts.length > 0, `${text} asks no shard`)
  return Math.max(...counts)
}

async function live(world: World): Promise<void> {
  const { alice, bob, moderator } = world
  const bugs = []
  for (const title of ['One', 'Two', 'Three'])
    bugs.push(await alice.bugs.create({ title, description: 'D', severity: 'low' }))
  const id = required(bugs[0]).id
  for (const value of [1, -1, 0, 1] as const) await bob.bugs.vote({ id, value })
  await Promise.all(bugs.map((bug) => moderator.bugs.vote({ id: bug.id, value: 1 })))
  await bob.bugs.list({})
  await bob.bugs.get({ id })
  await bob.follows.set({ id, state: 'following' })
  await bob.follows.get({ id })
  await bob.follows.list({})
  const said = await bob.bugs.comment({ id, body: 'Here too' })
  await alice.comments.react({ id: said.id, reaction: 'heart' })
  await alice.comments.unreact({ id: said.id, reaction: 'heart' })
  await alice.comments.react({ id: said.id, reaction: 'eyes' })
  await alice.bugs.comments({ id })
  await world.app.deliver()
  await moderator.bugs.triage({ id, status: 'resolved' })
  await world.app.deliver()
  await bob.follows.set({ id, state: 'none' })
  await bob.bugs.deleteComment({ id, commentId: said.id })
  await alice.bugs.delete({ id })
  await world.app.deliver()
}

/** What an inbox is asked, and what takes something out of it. */
async function tell(world: World): Promise<void> {
  const { alice, bob, admin, app, clock, person } = world
  await proveAddress(world, alice)
  const post = await alice.posts.create({ title: 'P', body: 'B' })
  const said = []
  for (const body of ['One', 'Two', 'For @alice', 'Four']) said.push(await bob.posts.comment({ id: post.id, body }))
  await bob.comments.edit({ id: required(said[0]).id, body: 'Of @alice' })
  await app.deliver()
  await alice.notifications.updateSettings({ comment: 'mail' })
  for (const body of ['Five', 'Six']) await bob.posts.comment({ id: post.id, body })
  await app.deliver()
  await alice.dataExports.request()
  await app.work()
  clock.pass(721)
  await app.deliver()
  await alice.notifications.list({})
  await alice.notifications.list({ after: '1' })
  await alice.notifications.list({ board: 'main', unread: 'true' })
  await alice.notifications.list({ target: post.id })
  await alice.notifications.groups({ cursor: '' })
  await alice.notifications.count()
  await alice.notifications.read({ ids: ['1'] })
  await alice.notifications.unread({ ids: ['1'] })
  await alice.notifications.read({ target: post.id, through: '3' })
  const { id } = await bob.account()
  for (const blocked of [true, false]) {
    await admin.admin.block({ id, blocked })
    await app.deliver()
  }
  const carol = person('carol')
  await carol.posts.comment({ id: post.id, body: 'Seven' })
  await alice.posts.comment({ id: post.id, body: 'Eight' })
  await app.deliver()
  await carol.deletion.request({ content: 'delete' })
  clock.pass(400 * 86_400)
  await app.work()
  await app.cleanUp()
}

describe('statements about tables of a Citus cluster', { skip }, () => {
  let cluster: Cluster
  before(async () => {
    cluster = await startCluster()
  })
  after(() => cluster.stop())

  it('ask one shard, unless there is a reason', async (t) => {
    await makeDistributed(cluster.url, 'plans')
    const url = cluster.url.replace(/\w+$/, 'plans')
    const store = openPostgres(url, { connections: 4 })
    t.after(() => store.db.destroy())
    const world = await makeWorld(
      { ...store, url },
      { BLOB_URL: `file:${await temporaryDirectory(t)}`, TEST_PROCESSES: '1' },
    )
    const asked = await askedIn(async () => {
      await live(world)
      await pushed(world, ({ mention }) => mention())
      await tell(world)
    })
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    t.after(() => client.end())
    const several: string[] = []
    const single = new Map<string, number | undefined>()
    for (const one of asked) {
      const shards = await countShards(client, one)
      const reason = Object.keys(SEVERAL).find((words) => one.text.includes(words))
      if (shards !== undefined && shards > 1 && reason === undefined) several.push(`${shards}: ${one.text}`)
      for (const words of Object.keys(ONE)) if (one.text.includes(words)) single.set(words, shards)
      t.diagnostic(`${shards ?? 'written'} ${reason ? 'may' : ''} ${one.text.slice(0, 150)}`)
    }
    assert.ok(asked.length >= 40, `${asked.length} statements`)
    assert.deepEqual(several, [])
    for (const [words, what] of Object.entries(ONE)) assert.equal(single.get(words), 1, what)
  })
})
