// Mails about notifications, through the front door, on SQLite and on PostgreSQL.
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it as plainIt } from 'node:test'
import { onEveryEngine, type Person, type World } from '../../../test/world.ts'
import { openMailer } from '../../mail/mail.ts'
import { deliverBatch } from '../delivery/delivery.ts'
import { mailBatch } from './mailing.ts'
import { currentPeriod, digestTimes } from './rules.ts'

const crash = { title: 'Crash', description: 'It stops on start', severity: 'high' } as const

async function verify({ db }: World, person: Person): Promise<void> {
  const { id } = await person.account()
  await db.updateTable('user').set({ emailVerifiedAt: '2026-01-01T00:00:00.000Z' }).where('id', '=', id).execute()
}

const mailDue = async (sending: Parameters<typeof mailBatch>[0]) => {
  while (await mailBatch(sending));
}

/** No agent asks here. */
const nothingWaits = async () => new Map()

/** The mails about notifications that a person has got. */
const notices = async (world: World, person: Person) =>
  (await world.mails(person.email)).filter(({ unsubscribeUrl }) => unsubscribeUrl)

/** Lets the time be this hour of the next day, UTC. */
function atHour({ clock }: World, hour: number): void {
  const now = new Date(clock.now())
  const to = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1, hour)
  clock.pass((to - clock.now()) / 1_000)
}

/** The token in the newest mail to a person. */
async function tokenOf(world: World, person: Person): Promise<string> {
  const newest = (await notices(world, person)).at(-1)
  return new URL(newest!.unsubscribeUrl!).searchParams.get('token')!
}

onEveryEngine('a mail about a notification', (it) => {
  it('is in the thread of its thing, with the others about it, where it is about one', async (world) => {
    const { alice, bob, app, clock } = world
    await verify(world, alice)
    const [one, two] = [await alice.bugs.create(crash), await alice.bugs.create(crash)]
    const replyTo = async ({ id }: { id: string }) => {
      const { id: parentId } = await alice.bugs.comment({ id, body: 'Anybody?' })
      await bob.bugs.comment({ id, body: 'Yes', parentId })
    }
    for (const told of [[one], [one, one], [two], [one, two]]) {
      for (const bug of told) await replyTo(bug)
      await app.deliver()
      await notices(world, alice)
      clock.pass(721)
    }
    const threads = (await notices(world, alice)).map(({ thread }) => thread)
    assert.deepEqual(threads, [`bug.${one.id}`, `bug.${one.id}`, `bug.${two.id}`, undefined])
  })

  it('comes at once of replies and mentions, quotes them, and goes to verified addresses alone', async (world) => {
    const { alice, bob, moderator, app } = world
    await verify(world, alice)
    await bob.profile.setUsername({ username: 'bob' })
    const bug = await alice.bugs.create(crash)
    const { id: parentId } = await alice.bugs.comment({ id: bug.id, body: 'Anybody?' })
    const reply = await bob.bugs.comment({ id: bug.id, body: 'Yes,\nhere', parentId })
    await bob.bugs.comment({ id: bug.id, body: 'No reply' })
    await moderator.bugs.comment({ id: bug.id, body: 'For @bob' })
    await app.deliver()
    const [mail, ...others] = await notices(world, alice)
    assert.deepEqual([others, await notices(world, bob)], [[], []])
    assert.equal(mail!.subject, `bob replied to you: "Crash" (#${bug.number})`)
    assert.match(mail!.body, /> Yes,\n> here\nhttp:\/\/localhost:3000\/community\/comments\//)
    assert.ok(mail!.body.includes(reply.id) && mail!.body.includes('/settings/notifications'))
    await app.deliver()
    assert.equal((await notices(world, alice)).length, 1)
  })

  it('waits for twelve minutes after another one, and tells all that was not read meanwhile', async (world) => {
    const { alice, bob, app, clock } = world
    await verify(world, alice)
    const bug = await alice.bugs.create(crash)
    await alice.notifications.updateSettings({ comment: 'mail' })
    for (const body of ['One', 'Two', 'Three', 'Four']) {
      await bob.bugs.comment({ id: bug.id, body })
      await app.deliver()
    }
    await alice.notifications.read({ ids: ['3'] })
    assert.equal((await notices(world, alice)).length, 1)
    clock.pass(715)
    await app.deliver()
    assert.equal((await notices(world, alice)).length, 1)
    clock.pass(10)
    await app.deliver()
    const [, second, ...others] = await notices(world, alice)
    assert.deepEqual([second!.subject, others], ['2 notifications', []])
    assert.match(second!.body, /> Two[\s\S]*> Four/)
    assert.doesNotMatch(second!.body, /> Three/)
  })

  it('is a digest at eight, once a period, however many processes look', async (world) => {
    const { alice, bob, app, clock, dependencies } = world
    await verify(world, alice)
    const bug = await alice.bugs.create(crash)
    await alice.notifications.updateSettings({ comment: 'daily' })
    atHour(world, 9)
    await bob.bugs.comment({ id: bug.id, body: 'One' })
    await bob.bugs.comment({ id: bug.id, body: 'Two' })
    await app.deliver()
    clock.pass(22.9 * 3_600)
    await app.deliver()
    assert.deepEqual(await notices(world, alice), [])
    clock.pass(0.2 * 3_600)
    const sending = { ...dependencies, headsOf: nothingWaits }
    await Promise.all([mailDue(sending), mailDue(sending), mailDue(sending)])
    await bob.bugs.comment({ id: bug.id, body: 'Three' })
    await app.deliver()
    const [first, ...others] = await notices(world, alice)
    assert.deepEqual([first!.subject, others], ['Daily digest: 2 notifications', []])
    clock.pass(86_400)
    await app.deliver()
    assert.equal((await notices(world, alice)).at(-1)!.subject, 'Daily digest: 1 notification')
    clock.pass(3 * 86_400)
    await app.deliver()
    assert.equal((await notices(world, alice)).length, 2, 'nothing new is no mail')
  })

  it('is weekly on Monday', async (world) => {
    const { alice, bob, app, clock } = world
    // On a Monday before eight the first digest would be of the same day.
    if (new Date(clock.now()).getUTCDay() === 1) clock.pass(86_400)
    await verify(world, alice)
    const bug = await alice.bugs.create(crash)
    await alice.notifications.updateSettings({ comment: 'weekly' })
    await bob.bugs.comment({ id: bug.id, body: 'One' })
    await app.deliver()
    for (let day = 0; day < 8 && (await notices(world, alice)).length === 0; day++) {
      atHour(world, 8)
      clock.pass(60)
      await app.deliver()
    }
    assert.deepEqual([new Date(clock.now()).getUTCDay(), (await notices(world, alice)).length], [1, 1])
  })

  it('is not sent of what disappeared, to who was blocked, or when it was read', async (world) => {
    const { alice, bob, moderator, app, clock } = world
    await verify(world, alice)
    const bug = await alice.bugs.create(crash)
    await alice.notifications.updateSettings({ comment: 'daily' })
    const gone = await bob.bugs.comment({ id: bug.id, body: 'Gone' })
    await bob.bugs.comment({ id: bug.id, body: 'Spam' })
    await moderator.bugs.comment({ id: bug.id, body: 'Read' })
    await app.deliver()
    await bob.bugs.deleteComment({ id: bug.id, commentId: gone.id })
    await moderator.admin.block({ id: (await bob.account()).id, blocked: true })
    await alice.notifications.read({ ids: ['3'] })
    clock.pass(86_400)
    await app.deliver()
    assert.deepEqual(await notices(world, alice), [])
  })
})

onEveryEngine('unsubscribing', (it) => {
  it('needs no session, ends mails of that kind alone, and every forged token is refused', async (world) => {
    const { alice, bob, anonymous, app } = world
    await verify(world, alice)
    const bug = await alice.bugs.create(crash)
    await alice.notifications.updateSettings({ comment: 'mail', status: 'weekly' })
    await bob.bugs.comment({ id: bug.id, body: 'One' })
    await app.deliver()
    const token = await tokenOf(world, alice)
    const [mailing, , proof] = token.split('.')
    const bobs = (await bob.account()).id
    const forged = [
      'x',
      'mail',
      `${mailing}.${bobs}.${proof}`,
      token.replace('mail.', 'daily.'),
      `${token}.x`,
      `${token}x`,
    ]
    for (const wrong of forged) {
      await assert.rejects(anonymous.notifications.unsubscribe({ token: wrong }), { status: 404 }, wrong)
    }
    assert.equal((await alice.notifications.settings()).comment, 'mail')
    for (let time = 0; time < 2; time++) {
      assert.deepEqual(await anonymous.notifications.unsubscribe({ token }), { mailing: 'mail' })
    }
    const { mention, reply, comment, status, version } = await alice.notifications.settings()
    assert.deepEqual([mention, reply, comment, status, version], ['site', 'site', 'site', 'weekly', 'site'])
    await bob.bugs.comment({ id: bug.id, body: 'Two' })
    world.clock.pass(3_600)
    await app.deliver()
    assert.equal((await notices(world, alice)).length, 1)
  })
})

onEveryEngine('mails about notifications', (it) => {
  it('are bounded in all, and the rest waits', async (world) => {
    const { alice, bob, moderator, dependencies, clock } = world
    for (const person of [alice, bob]) await verify(world, person)
    await alice.profile.setUsername({ username: 'alice' })
    await bob.profile.setUsername({ username: 'bob-1' })
    await moderator.posts.create({ title: 'Hi', body: '@alice @bob-1' })
    while (await deliverBatch(dependencies));
    const { mails, ...others } = dependencies.config.budgets
    const budgets = { ...others, mails: { ...mails, all: [{ count: 1, windowSeconds: 3_600 }] } }
    const bounded = {
      ...dependencies,
      headsOf: nothingWaits,
      config: { ...dependencies.config, rateLimits: true, budgets },
    }
    const sent = async () => (await notices(world, alice)).length + (await notices(world, bob)).length
    await mailDue(bounded)
    await mailDue(bounded)
    assert.equal(await sent(), 1)
    clock.pass(3_601)
    await mailDue(bounded)
    assert.equal(await sent(), 2)
  })
})

plainIt('A mail that can be unsubscribed from says so in its head (RFC 8058)', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'guildhall-mail-'))
  const unsubscribeUrl = 'https://guild.example/unsubscribe?token=mail.1.x'
  const mail = { id: 'one', recipient: 'carol@example.com', subject: 'Hello', body: 'Hello\n', unsubscribeUrl }
  await openMailer(`file:${folder}`, {
    name: 'Guildhall',
    from: 'hello@guild.example',
    baseUrl: 'https://guild.example',
  }).send(mail)
  const text = (await readFile(join(folder, 'one.eml'), 'utf8')).replace(/\n[ \t]+/g, ' ')
  assert.ok(text.includes(`List-Unsubscribe: <${unsubscribeUrl}>\n`), text)
  assert.match(text, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/m)
  await rm(folder, { recursive: true })
})

plainIt('Digests are due at eight, UTC: each day, and on Mondays', () => {
  const { daily, weekly } = digestTimes('2026-11-22T08:00:00.000Z')
  assert.deepEqual(daily, ['2026-11-23T08:00:00.000Z', '2026-11-24T08:00:00.000Z'])
  assert.deepEqual(weekly, ['2026-11-23T08:00:00.000Z', '2026-11-30T08:00:00.000Z'])
  assert.equal(digestTimes('2026-11-22T07:59:59.999Z').daily[0], '2026-11-22T08:00:00.000Z')
  assert.equal(currentPeriod('2026-11-22T08:00:00.000Z', 'daily'), '2026-11-22T08:00:00.000Z')
  assert.equal(currentPeriod('2026-11-22T08:00:00.000Z', 'weekly'), '2026-11-16T08:00:00.000Z')
})

plainIt('A mail that can be answered says where, and no other does', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'guildhall-mail-'))
  const mailer = openMailer(`file:${folder}`, { from: 'a@guild.example', baseUrl: 'https://guild.example', name: 'G' })
  const mail = { id: 'one', recipient: 'carol@example.com', subject: 'Hello', body: 'Hello\n' }
  await mailer.send({ ...mail, replyTo: 'reply+a@reply.guild.example' })
  await mailer.send({ ...mail, id: 'two', replyTo: null })
  const [one, two] = await Promise.all(['one', 'two'].map((id) => readFile(join(folder, `${id}.eml`), 'utf8')))
  await rm(folder, { recursive: true })
  assert.match(one!, /^Reply-To: reply\+a@reply\.guild\.example$/m)
  assert.doesNotMatch(two!, /Reply-To/i)
})
