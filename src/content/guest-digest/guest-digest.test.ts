// Digests for people without an account: asked for, confirmed, sent, ended, and all that must not come of it.
import assert from 'node:assert/strict'
import { setReaders } from '../../../test/private-world.ts'
import { callingFrom } from '../../../test/visitor.ts'
import { onEveryEngine, type World } from '../../../test/world.ts'
import { CONFIRM_SECONDS, LISTED, MAX_GUESTS, MAX_OF_ADDRESS } from './rules.ts'

const email = 'guest@example.com'
const HOUR = 3_600
const DAY = 86_400
const on = { GUEST_DIGEST: 'on' }

const tokenIn = (text: string): string => decodeURIComponent(/token=([\w.%-]+)/.exec(text)?.[1] ?? '')

const digests = async (world: World, to = email) =>
  (await world.mails(to)).filter(({ unsubscribeUrl }) => unsubscribeUrl)

const rowsOf = ({ db }: World) => db.selectFrom('guestDigest').select(['email', 'confirmedAt']).execute()

/** Asks, and confirms by the link that came. */
async function begin(world: World, { to = email, board }: { to?: string; board?: string } = {}) {
  await world.anonymous.guestDigest.subscribe({ email: to, ...(board && { board }) })
  const { body } = (await world.mails(to)).at(-1)!
  return world.anonymous.guestDigest.confirm({ token: tokenIn(body) })
}

async function nextDay({ clock, app }: World) {
  clock.pass(DAY)
  await app.deliver()
}

onEveryEngine(
  'a digest for a guest',
  (it) => {
    it('is confirmed by the link in a mail first, tells what is new once, and ends with a click', async (world) => {
      const { alice, anonymous, app } = world
      await alice.posts.create({ title: 'Before', body: 'Old' })
      assert.deepEqual(await begin(world), { board: null })
      world.clock.pass(60)
      await alice.posts.create({ title: 'Lunch at noon', body: 'Bring bread' })
      world.clock.pass(1)
      await alice.bugs.create({ title: 'Crash', description: 'It stops', severity: 'low' })
      await app.deliver()
      assert.deepEqual(await digests(world), [])
      await nextDay(world)
      const [mail, ...others] = await digests(world)
      assert.deepEqual(others, [])
      assert.equal(mail!.subject, 'Daily digest')
      assert.match(mail!.body, /"Lunch at noon"\n> Bring bread\nhttp:\/\/localhost:3000\/community\/posts\//)
      assert.ok(mail!.body.indexOf('"Crash"') < mail!.body.indexOf('"Lunch') && !mail!.body.includes('Before'))
      await nextDay(world)
      assert.equal((await digests(world)).length, 1, 'nothing is new')
      const token = tokenIn(mail!.unsubscribeUrl!)
      await anonymous.guestDigest.unsubscribe({ token })
      assert.deepEqual(await rowsOf(world), [])
      await anonymous.guestDigest.unsubscribe({ token })
      await alice.posts.create({ title: 'After', body: 'New' })
      await nextDay(world)
      assert.equal((await digests(world)).length, 1)
    })

    it('is not sent to an address that did not confirm, which is forgotten after a day', async (world) => {
      const { alice, anonymous, clock, app } = world
      await anonymous.guestDigest.subscribe({ email })
      const token = tokenIn((await world.mails(email))[0]!.body)
      await alice.posts.create({ title: 'P', body: 'B' })
      clock.pass(CONFIRM_SECONDS - 1)
      await app.deliver()
      assert.deepEqual([(await digests(world)).length, (await rowsOf(world)).length], [0, 1])
      clock.pass(1)
      await assert.rejects(anonymous.guestDigest.confirm({ token }), { status: 404 })
      await app.cleanUp()
      assert.deepEqual(await rowsOf(world), [])
    })

    it('keeps its language, also where someone asks for it once more', async (world) => {
      const { anonymous, db } = world
      await begin(world)
      await db.updateTable('guestDigest').set({ language: 'de' }).execute()
      await anonymous.guestDigest.subscribe({ email })
      const languages = () => db.selectFrom('guestDigest').select('language').execute()
      assert.deepEqual(await languages(), [{ language: 'de' }])
      await db.updateTable('guestDigest').set({ confirmedAt: null, toldUntil: null, dueAt: null }).execute()
      await anonymous.guestDigest.subscribe({ email })
      assert.notDeepEqual(await languages(), [{ language: 'de' }], 'it begins again')
    })

    it('says the same of every address, known or not, and mails no confirmed one again', async (world) => {
      const { anonymous, alice } = world
      await begin(world)
      const before = (await world.mails(email)).length
      const answers = [
        await anonymous.guestDigest.subscribe({ email }),
        await anonymous.guestDigest.subscribe({ email: 'other@example.com' }),
        await anonymous.guestDigest.subscribe({ email: alice.email }),
      ]
      assert.equal(new Set(answers.map(({ message }) => message)).size, 1)
      const sent = (await world.mails(email)).slice(before)
      assert.ok(
        sent.every(({ body }) => !body),
        'no text of it is stored',
      )
      assert.equal((await rowsOf(world)).length, 3)
    })

    it('takes no link of another use, another digest, or one that is guessed', async (world) => {
      const { anonymous, alice } = world
      await begin(world)
      await anonymous.guestDigest.subscribe({ email: 'other@example.com' })
      const confirm = tokenIn((await world.mails('other@example.com'))[0]!.body)
      world.clock.pass(60)
      await alice.posts.create({ title: 'P', body: 'B' })
      await nextDay(world)
      const end = tokenIn((await digests(world))[0]!.unsubscribeUrl!)
      const [, id = '', proof = ''] = end.split('.')
      const [otherId = ''] = confirm.split('.')
      for (const token of [
        confirm,
        `guest.${confirm}`,
        `guest.${otherId}.${proof}`,
        `guest.${id}.`,
        `${end}.x`,
        'guest',
        '.',
      ])
        await assert.rejects(anonymous.guestDigest.unsubscribe({ token }), { status: 404 }, token)
      for (const token of [end, `${id}.${proof}`, `${otherId}.${proof}`, `${otherId}.`, 'x'.repeat(200)])
        await assert.rejects(anonymous.guestDigest.confirm({ token }), { status: 404 }, token)
      await assert.rejects(anonymous.guestDigest.confirm({ token: 'x'.repeat(201) }), { status: 400 })
      await assert.rejects(anonymous.notifications.unsubscribe({ token: end }), { status: 404 })
      assert.equal((await rowsOf(world)).length, 2)
    })

    it('is of an open board alone, and of nothing once the board is closed', async (world) => {
      const { admin, alice, anonymous } = world
      await admin.boards.create({ slug: 'tools', name: 'Tools', readers: 'everyone' })
      await admin.boards.create({ slug: 'inner', name: 'Inner', readers: 'members' })
      for (const board of ['inner', 'none'])
        await assert.rejects(anonymous.guestDigest.subscribe({ email, board }), { status: 404 })
      await assert.rejects(alice.guestDigest.subscribe({ email, board: 'inner' }), { status: 404 })
      assert.deepEqual(await begin(world, { board: 'tools' }), { board: 'tools' })
      await begin(world, { to: 'all@example.com' })
      world.clock.pass(60)
      await alice.posts.create({ title: 'In tools', body: 'B', board: 'tools' })
      await alice.posts.create({ title: 'Elsewhere', body: 'B' })
      await alice.posts.create({ title: 'Secret', body: 'B', board: 'inner' })
      await nextDay(world)
      const [mail] = await digests(world)
      assert.ok(mail!.body.includes('In tools') && !/Elsewhere|Secret/.test(mail!.body))
      const [all] = await digests(world, 'all@example.com')
      assert.ok(/In tools/.test(all!.body) && /Elsewhere/.test(all!.body) && !all!.body.includes('Secret'))
      await admin.boards.update({ board: 'tools', readers: 'members' })
      await alice.posts.create({ title: 'Closed now', body: 'B', board: 'tools' })
      await nextDay(world)
      assert.equal((await digests(world)).length, 1)
    })

    it('tells thirty things, and that there are more', async (world) => {
      const { alice } = world
      await begin(world)
      world.clock.pass(60)
      const write = async (title: string) => {
        world.clock.pass(1)
        await alice.posts.create({ title, body: 'B' })
      }
      for (let n = 1; n <= LISTED; n++) await write(`Post ${n}`)
      await nextDay(world)
      assert.ok(!(await digests(world))[0]!.body.includes('There is more'))
      for (let n = 1; n <= LISTED + 1; n++) await write(`Again ${n}`)
      await nextDay(world)
      const { body } = (await digests(world))[1]!
      assert.ok(body.includes('There is more: http://localhost:3000/community') && body.includes('"Again 2"'))
      assert.ok(!body.includes('"Again 1"'))
    })

    it('is of ten topics for one address, and of so many guests at most', async (world) => {
      const { db, anonymous } = world
      const rows = (count: number, start: string, to: (n: number) => string, confirmedAt: string | null) =>
        Array.from({ length: count }, (_, n) => ({
          ...{ id: `${start}${n}`, email: to(n), topic: `t${n}`, language: null, confirmedAt },
          ...{ createdAt: '2026-01-01T00:00:00.000Z', toldUntil: null, dueAt: null },
        }))
      const insert = async (some: ReturnType<typeof rows>) => {
        for (let at = 0; at < some.length; at += 1_000)
          await db
            .insertInto('guestDigest')
            .values(some.slice(at, at + 1_000))
            .execute()
      }
      await insert(rows(MAX_OF_ADDRESS - 1, 'a', () => email, 'x'))
      await anonymous.guestDigest.subscribe({ email })
      assert.equal((await world.mails(email)).filter(({ body }) => body).length, 1)
      await insert(rows(1, 'b', () => 'full@example.com', 'x'))
      await insert(rows(MAX_OF_ADDRESS, 'c', () => 'full@example.com', 'x').slice(1))
      await anonymous.guestDigest.subscribe({ email: 'full@example.com' })
      assert.equal((await world.mails('full@example.com')).filter(({ body }) => body).length, 0)
      await db.deleteFrom('guestDigest').execute()
      await insert(rows(MAX_GUESTS - 1, 'd', (n) => `${n}@example.com`, 'x'))
      const ask = async (to: string) => {
        await anonymous.guestDigest.subscribe({ email: to })
        return tokenIn((await world.mails(to)).at(-1)!.body)
      }
      const tokens = [await ask('p@example.com'), await ask('q@example.com'), await ask('r@example.com')]
      const results = await Promise.allSettled(tokens.map((token) => anonymous.guestDigest.confirm({ token })))
      assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
    })

    it('goes to no address that bounced, nor where the instance is private', async (world) => {
      const { db, alice, anonymous } = world
      await begin(world)
      const moment = '2026-01-01T00:00:00.000Z'
      const bounce = { kind: 'complaint', status: null, softCount: 0, since: moment, updatedAt: moment } as const
      await db
        .insertInto('bounce')
        .values({ id: 'b1', email, stoppedAt: moment, ...bounce })
        .execute()
      await db
        .insertInto('bounce')
        .values({ id: 'b2', email: 'b@example.com', stoppedAt: moment, ...bounce })
        .execute()
      await anonymous.guestDigest.subscribe({ email: 'b@example.com' })
      assert.equal((await world.mails('b@example.com')).filter(({ body }) => body).length, 0)
      world.clock.pass(60)
      await alice.posts.create({ title: 'P', body: 'B' })
      await nextDay(world)
      assert.deepEqual(await digests(world), [])
      await db.deleteFrom('bounce').execute()
      await setReaders(world, 'members')
      await assert.rejects(anonymous.guestDigest.subscribe({ email }), { status: 401 })
      await alice.posts.create({ title: 'Q', body: 'B' })
      await nextDay(world)
      assert.deepEqual(await digests(world), [])
    })

    it('goes with the account of its address', async (world) => {
      const { alice, app, clock } = world
      await begin(world, { to: alice.email })
      await alice.deletion.request({ content: 'anonymise' })
      clock.pass(15 * DAY)
      await app.work()
      assert.deepEqual(await rowsOf(world), [])
    })

    it('is sent once by two that send at the same time, ten times', async (world) => {
      const { alice, app } = world
      await begin(world)
      for (let n = 1; n <= 10; n++) {
        world.clock.pass(60)
        await alice.posts.create({ title: `P${n}`, body: 'B' })
        world.clock.pass(DAY)
        await Promise.all([app.deliver(), app.deliver(), app.deliver()])
        assert.equal((await digests(world)).length, n)
      }
    })
  },
  on,
)

onEveryEngine(
  'budgets of digests for guests',
  (it) => {
    it('let three mails a day ask an address, whichever networks they come from, and twenty an hour a network', async (world) => {
      for (let n = 0; n < 3; n++) {
        await callingFrom(world, `203.0.${n}.1`).guestDigest.subscribe({ email })
        world.clock.pass(HOUR)
      }
      await assert.rejects(callingFrom(world, '198.51.100.1').guestDigest.subscribe({ email }), { status: 429 })
      assert.equal((await world.mails(email)).length, 3)
      const many = callingFrom(world, '192.0.2.1')
      for (let n = 0; n < 20; n++) await many.guestDigest.subscribe({ email: `p${n}@example.com` })
      await assert.rejects(many.guestDigest.subscribe({ email: 'p20@example.com' }), { status: 429 })
      const keys = await world.db.selectFrom('rateLimit').select('key').where('key', 'like', '%guest%').execute()
      assert.ok(keys.length > 0 && keys.every(({ key }) => !key.includes('@')))
    })
  },
  { ...on, RATE_LIMITS: 'on' },
)

onEveryEngine('where no digests are mailed to guests', (it) => {
  it('none can be asked for', async ({ anonymous }) => {
    await assert.rejects(anonymous.guestDigest.subscribe({ email }), { status: 404 })
  })
})
