// What comes back of mails: through the door of the server, on SQLite and on PostgreSQL.
import assert from 'node:assert/strict'
import { complaint, failed, prepare, REPLY_DOMAIN, tell, withMailDoor } from '../../../test/mailing.ts'
import { onEveryEngine, type World } from '../../../test/world.ts'

const DAY = 86_400

onEveryEngine(
  'a mail that comes back',
  (it) => {
    it('for good, or with a complaint, is the last about notifications, until an admin clears it', async (world) => {
      const { alice, admin, moderator } = world
      await prepare(world)
      for (const [raw, kind, status] of [
        [failed('5.1.1'), 'hard', '5.1.1'],
        [complaint, 'complaint', null],
      ] as const) {
        const sent = await tell(world)
        const to = sent.at(-1)!.returnPath!
        assert.match(to, /^bounce\+[a-z2-7]{52}@reply\.guild\.example$/)
        await withMailDoor(world, async ({ send }) => {
          assert.equal((await send({ sender: '', to, raw })).code, 250)
          assert.equal((await send({ sender: '', to, raw })).code, 250)
        })
        assert.equal((await tell(world)).length, sent.length, 'no mail')
        const { items } = await admin.bounces.list({})
        assert.deepEqual(
          items.map((one) => [one.email, one.kind, one.status]),
          [[alice.email, kind, status]],
        )
        await assert.rejects(moderator.bounces.list({}), { status: 403 })
        await assert.rejects(moderator.bounces.clear({ id: items[0]!.id }), { status: 403 })
        await admin.bounces.clear({ id: items[0]!.id })
        await assert.rejects(admin.bounces.clear({ id: items[0]!.id }), { status: 404 })
        assert.equal((await tell(world)).length, sent.length + 1, 'a mail again')
      }
    })

    it('does not stop codes', async (world) => {
      const { alice, anonymous } = world
      await prepare(world)
      const to = (await tell(world)).at(-1)!.returnPath!
      await withMailDoor(world, async ({ send }) => void (await send({ sender: '', to, raw: failed('5.1.1') })))
      const before = (await world.mails(alice.email)).length
      await anonymous.accounts.sendCode({ email: alice.email })
      assert.equal((await world.mails(alice.email)).length, before + 1)
    })

    it('for a while counts, and stops mail the third time in a week, each mail once', async (world) => {
      const { alice, bob, clock, app, db } = world
      await prepare(world)
      const stopped = async () =>
        (await db.selectFrom('bounce').select('id').where('stoppedAt', 'is not', null).execute()).length
      const passDays = async (days: number) => {
        clock.pass(days * DAY)
        // A session that is used lasts.
        for (const person of [alice, bob]) await person.notifications.list({})
      }
      await withMailDoor(world, async ({ send }) => {
        const soft = async () => {
          const to = (await tell(world)).at(-1)!.returnPath!
          const raw = failed('4.2.2', 'delayed')
          await Promise.all(Array.from({ length: 5 }, () => send({ sender: '', to, raw })))
        }
        await soft()
        await soft()
        assert.equal(await stopped(), 0)
        await passDays(4)
        await passDays(5)
        await app.cleanUp()
        assert.deepEqual(await db.selectFrom('bounce').select('id').execute(), [])
        await soft()
        await soft()
        assert.equal(await stopped(), 0)
        await soft()
        assert.equal(await stopped(), 1)
        clock.pass(60 * DAY)
        await app.cleanUp()
        assert.equal(await stopped(), 1)
      })
    })

    it('is for good where there is no such mailbox, and may be over tomorrow for all else', async (world) => {
      const { db } = world
      await prepare(world)
      const kinds = []
      for (const status of ['5.1.1', '5.1.10', '5.2.1', '5.2.2', '5.4.1', '5.7.1', '5.0.0', '5.2.10', '4.1.1']) {
        const to = (await tell(world)).at(-1)!.returnPath!
        await withMailDoor(world, async ({ send }) => {
          assert.equal((await send({ sender: '', to, raw: failed(status) })).code, 250)
        })
        const { kind } = await db.selectFrom('bounce').select('kind').executeTakeFirstOrThrow()
        kinds.push(`${status} ${kind}`)
        await db.deleteFrom('bounce').execute()
      }
      const soft = ['5.2.2', '5.4.1', '5.7.1', '5.0.0', '5.2.10', '4.1.1'].map((status) => `${status} soft`)
      assert.deepEqual(kinds, ['5.1.1 hard', '5.1.10 hard', '5.2.1 hard', ...soft])
    })

    it('is noted of the address of an account alone, and goes with a change of it', async (world) => {
      const { alice, db } = world
      await prepare(world)
      const known = () => db.selectFrom('bounce').select('email').execute()
      const [first, second] = [(await tell(world)).at(-1)!.returnPath!, (await tell(world)).at(-1)!.returnPath!]
      await withMailDoor(world, async ({ send }) => {
        await send({ sender: '', to: first, raw: failed('5.1.1') })
        assert.deepEqual(await known(), [{ email: alice.email }])
        await changeAddress(world, 'alice.new@example.com')
        assert.deepEqual(await known(), [])
        await send({ sender: '', to: second, raw: failed('5.1.1') })
        assert.deepEqual(await known(), [], 'the old address is of no account')
      })
    })

    it('is believed only of mails that we sent, and only where it says that one failed', async (world) => {
      const { admin, alice } = world
      await prepare(world)
      const to = (await tell(world)).at(-1)!.returnPath!
      const forged = to.replace(/^bounce\+(.)/, (_, first) => `bounce+${first === 'a' ? 'b' : 'a'}`)
      await withMailDoor(world, async ({ send }) => {
        assert.equal((await send({ sender: '', to: forged, raw: failed('5.1.1') })).code, 550)
        assert.equal((await send({ sender: '', to: `${to.slice(0, -20)}a${to.slice(-20)}`, raw: complaint })).code, 550)
        const plain = `From: ${alice.email}\r\n\r\nStatus: 5.1.1\r\nAction: failed`
        for (const raw of [failed('2.0.0', 'delivered'), failed('5.1.1', 'relayed'), plain]) {
          assert.equal((await send({ sender: '', to, raw })).code, 250)
        }
      })
      assert.deepEqual((await admin.bounces.list({})).items, [])
    })
  },
  { REPLY_DOMAIN },
)

onEveryEngine(
  'a report that is repeated',
  (it) => {
    it('is taken twenty times an hour of one mail', async (world) => {
      const { alice, app, clock } = world
      await prepare(world)
      const recipient = (await tell(world)).at(-1)!.returnPath!
      const mail = { bytes: Buffer.from(`From: ${alice.email}\r\n\r\nx`), sender: '', recipient, helo: 'a' }
      clock.stop()
      const take = (n: number) => app.mailDoor.take({ ...mail, address: `198.51.${n}.1` })
      for (let n = 0; n < 20; n++) assert.equal((await take(n)).code, 250)
      assert.equal((await take(20)).code, 451)
      clock.pass(3_600)
      assert.equal((await take(21)).code, 250)
    })
  },
  { REPLY_DOMAIN, RATE_LIMITS: 'on' },
)

/** Lets alice have another address, with the code that was mailed there. */
async function changeAddress({ alice, mails }: World, email: string): Promise<void> {
  await alice.reauthentication.confirm({ password: 'alice has a password' })
  await alice.address.sendCode({ email })
  const code = (await mails(email)).at(-1)?.body.match(/^\d{6}$/m)?.[0]
  await alice.address.change({ email, code: code! })
}

onEveryEngine('where no mail is taken', (it) => {
  it('the envelope of a mail has its sender', async (world) => {
    await prepare(world)
    assert.equal((await tell(world)).at(-1)!.returnPath, undefined)
  })
})
