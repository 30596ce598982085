// Members are told while a node of a Citus cluster is away: those on other nodes at once, those on it when it is back, once each; and webhooks, trackers
// and mails of others do not wait. `ROUNDS=10 node bin/node.js --test test/wide/citus-away.test.ts`.
import assert from 'node:assert/strict'
import { after, before, describe, it, type TestContext } from 'node:test'
import { openDatabase } from '../../src/database/open.ts'
import { openPostgres } from '../../src/database/postgres.ts'
import { distribute } from '../../src/operator/distribute.ts'
import { required } from '../../src/runtime/untyped.ts'
import { type Cluster, skip, startCluster } from '../citus.ts'
import { placesOf, until } from '../citus-load.ts'
import { makeEmpty } from '../distributed-databases.ts'
import { complaintsAbout, runCommand } from '../operator.ts'
import { temporaryDirectory } from '../temporary.ts'
import type { Receiver } from '../webhook-receiver.ts'
import { withWebhook } from '../webhooks.ts'
import { makeWorld, type Person, type World } from '../world.ts'

const ROUNDS = Number(process.env['ROUNDS'] ?? 2)
const MEMBERS = 10
/** So long the job of an event rests at most between two attempts. */
const LONGEST_REST_SECONDS = 301
/** After a mail at once the next one waits so long. */
const MAIL_PAUSE_SECONDS = 721
const AWAY = 2

interface Member {
  person: Person
  name: string
  id: string
}

/** People whose inboxes are on the node that goes away, and others; an author whom the others can be told of, and one whose followers are on that node. */
interface Cast {
  lost: Member[]
  there: Member[]
  near: Member
  far: Member
}

describe('a node of a Citus cluster that is away', { skip }, () => {
  let cluster: Cluster
  before(async () => {
    cluster = await startCluster()
  })
  after(() => cluster.stop())

  async function open(t: TestContext): Promise<World> {
    const url = await makeEmpty(cluster.url, 'away')
    await openDatabase(url).then(({ db }) => db.destroy())
    assert.equal((await runCommand(distribute, { databaseUrl: url }, { shards: '8' })).code, 0)
    const store = openPostgres(url, { connections: 8 })
    t.after(() => store.db.destroy())
    const world = await makeWorld(
      { ...store, url },
      { BLOB_URL: `file:${await temporaryDirectory(t)}`, TEST_PROCESSES: '1' },
    )
    return world
  }

  async function castOf(world: World): Promise<Cast> {
    const members: Member[] = []
    for (let n = 0; n < MEMBERS; n++) {
      const [person, name] = [world.person(`member${n}`), `member-${n}`]
      const { id } = await person.account()
      await person.profile.setUsername({ username: name })
      await world.db
        .updateTable('user')
        .set({ emailVerifiedAt: '2026-01-01T00:00:00.000Z' })
        .where('id', '=', id)
        .execute()
      await person.notifications.updateSettings({ comment: 'mail', mention: 'mail' })
      members.push({ person, name, id })
    }
    const ids = members.map(({ id }) => id)
    const [inboxes, followers] = [
      new Set((await placesOf(world, ids, cluster.port(AWAY), 'notification')).on),
      new Set((await placesOf(world, ids, cluster.port(AWAY), 'follow')).on),
    ]
    const [near, far] = [members.find(({ id }) => !followers.has(id)), members.find(({ id }) => followers.has(id))]
    const others = members.filter((one) => one !== near && one !== far)
    const cast = {
      ...{ near: required(near), far: required(far) },
      lost: others.filter(({ id }) => inboxes.has(id)),
      there: others.filter(({ id }) => !inboxes.has(id)),
    }
    assert.ok(cast.lost.length > 1 && cast.there.length > 1, 'members on both nodes')
    return cast
  }

  /** A post whose followers are on the node that stays, which all of them follow. */
  async function followed(world: World, { lost, there, near, far }: Cast): Promise<string> {
    for (;;) {
      const { id } = await world.alice.posts.create({ title: 'Post', body: 'B' })
      if ((await placesOf(world, [id], cluster.port(AWAY), 'follow')).on.length > 0) continue
      for (const { person } of [...lost, ...there, near, far]) await person.follows.set({ id, state: 'following' })
      return id
    }
  }

  const excerptsOf = async ({ person }: Member): Promise<string[]> =>
    (await person.notifications.list({ per_page: 50 })).items.map(({ excerpt }) => excerpt)

  const mailsTo = async (world: World, { person }: Member) =>
    (await world.mails(person.email)).filter(({ unsubscribeUrl }) => unsubscribeUrl).length

  const commentsIn = (receiver: Receiver): string[] =>
    receiver.arrived
      .map(({ body }) => JSON.parse(body) as { type: string; data: { excerpt: string } })
      .filter(({ type }) => type === 'comment.created')
      .map(({ data }) => data.excerpt)

  /** How many notifications of comments on a post there are. */
  async function countTold({ db }: World, targetId: string): Promise<number> {
    const events = await db
      .selectFrom('event')
      .select('id')
      .where('targetId', '=', targetId)
      .where('kind', '=', 'comment')
      .execute()
    const told = await Promise.all(
      events.map(({ id }) => db.selectFrom('notification').select('userId').where('eventId', '=', id).execute()),
    )
    return told.flat().length
  }

  async function hide({ moderator, bob }: World, targetId: string): Promise<void> {
    await bob.reports.create({ targetType: 'post', targetId, reason: 'spam' })
    const found = (await moderator.moderation.cases({})).items.find(({ target }) => target.id === targetId)
    await moderator.moderation.decide({ id: required(found).id, action: 'hide', rule: 'spam', reason: 'Advertising' })
  }

  const has = async (members: readonly Member[], excerpt: string) =>
    (await Promise.all(members.map(excerptsOf))).every((all) => all.includes(excerpt))

  async function round(
    world: World,
    { cast, post, receiver, n }: { cast: Cast; post: string; receiver: Receiver; n: number },
  ) {
    const { lost, there, near, far } = cast
    const first = required(there[0])
    const { id: doomed } = await world.alice.posts.create({ title: 'Doomed', body: 'B' })
    await near.person.posts.comment({ id: doomed, body: `Before ${n}` })
    await until('its author hears of a comment', async () => (await countTold(world, doomed)) === 1)
    world.clock.pass(MAIL_PAUSE_SECONDS)
    const [mailed, waited] = [await mailsTo(world, first), await mailsTo(world, required(lost[0]))]
    cluster.kill(AWAY)
    await until(
      'an inbox on it cannot be read',
      async () => (await required(lost[0]).person.request('/api/community/notifications')).status === 503,
    )
    await hide(world, doomed)
    const [late, soon, named] = [`Late ${n}`, `Soon ${n}`, `For @${first.name} and @${required(lost[0]).name} ${n}`]
    for (const [{ person }, body] of [
      [far, late],
      [near, soon],
      [near, named],
    ] as const)
      await person.posts.comment({ id: post, body })
    await until('members on other nodes hear of it', async () => (await has(there, soon)) && (await has(there, named)))
    await until('webhooks do', () => [late, soon, named].every((one) => commentsIn(receiver).includes(one)))
    await until('and of what is hidden', () =>
      receiver.arrived.some(({ body }) => body.includes('"post.deleted"') && body.includes(doomed)),
    )
    await until('mails are sent', async () => (await mailsTo(world, first)) > mailed)
    assert.equal(await has(there, late), false, 'of whom it is not known who muted them')
    await cluster.start(AWAY)
    await until('the others hear of it', async () => {
      world.clock.pass(LONGEST_REST_SECONDS)
      return (await has([...lost, ...there], late)) && (await has(lost, soon)) && (await has(lost, named))
    })
    await until('their mails are sent', async () => (await mailsTo(world, required(lost[0]))) > waited)
    await until('what was hidden meanwhile has left inboxes', async () => (await countTold(world, doomed)) === 0)
    return [late, soon, named]
  }

  it(`holds up those alone whose inbox is on it, ${ROUNDS} times`, async (t) => {
    const world = await open(t)
    await withWebhook(world, async ({ receiver }) => {
      const cast = await castOf(world)
      const post = await followed(world, cast)
      await world.app.deliver()
      world.app.jobs.start()
      const said: string[] = []
      try {
        for (let n = 1; n <= ROUNDS; n++) {
          said.push(...(await round(world, { cast, post, receiver, n })))
          t.diagnostic(`round ${n} held`)
        }
      } finally {
        await world.app.jobs.stop()
      }
      for (const member of [...cast.lost, ...cast.there]) {
        assert.deepEqual((await excerptsOf(member)).toSorted(), said.toSorted(), 'each once')
        assert.equal((await member.person.notifications.count()).unread, said.length)
      }
      const heard = commentsIn(receiver).filter((excerpt) => !excerpt.startsWith('Before'))
      assert.deepEqual(heard.toSorted(), said.toSorted(), 'and each webhook')
      assert.equal(receiver.arrived.filter(({ body }) => body.includes('"post.deleted"')).length, ROUNDS)
      assert.deepEqual(await complaintsAbout(world), [])
    })
  })
})
