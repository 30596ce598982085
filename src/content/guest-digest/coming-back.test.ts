// Digests for guests that come back: what mail servers say of them, through the door for mail.
import assert from 'node:assert/strict'
import { complaint, failed, REPLY_DOMAIN, withMailDoor } from '../../../test/mailing.ts'
import { onEveryEngine, type World } from '../../../test/world.ts'

const email = 'guest@example.com'

async function begin(world: World, to = email): Promise<void> {
  await world.anonymous.guestDigest.subscribe({ email: to })
  const [, token = ''] = /token=([\w.%-]+)/.exec((await world.mails(to)).at(-1)!.body) ?? []
  await world.anonymous.guestDigest.confirm({ token: decodeURIComponent(token) })
}

const emails = async ({ db }: World) =>
  (await db.selectFrom('guestDigest').select('email').execute()).map((row) => row.email)

onEveryEngine(
  'a digest that comes back',
  (it) => {
    it('for good, or with a complaint, is the last to that guest', async (world) => {
      for (const [raw, count] of [
        [failed('4.2.2'), 1],
        [failed('5.1.1'), 0],
        [complaint, 0],
      ] as const) {
        await world.db.deleteFrom('guestDigest').execute()
        await begin(world)
        await begin(world, 'other@example.com')
        world.clock.pass(60)
        await world.alice.posts.create({ title: 'News', body: 'B' })
        world.clock.pass(86_400)
        await world.app.deliver()
        const to = (await world.mails(email)).at(-1)!.returnPath!
        await withMailDoor(world, async ({ send }) => {
          assert.equal((await send({ sender: '', to, raw })).code, 250)
        })
        assert.equal((await emails(world)).includes(email), count === 1)
        assert.equal((await emails(world)).length, count + 1, 'others stay')
        assert.deepEqual(await world.db.selectFrom('bounce').select('email').execute(), [])
      }
    })
  },
  { GUEST_DIGEST: 'on', REPLY_DOMAIN },
)
