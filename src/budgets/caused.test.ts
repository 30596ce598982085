// Mails that requests cause, and clients that register, on SQLite and on PostgreSQL.
import assert from 'node:assert/strict'
import { AGENT } from '../../test/oauth.ts'
import { callingFrom, refusal, visit } from '../../test/visitor.ts'
import { onEveryEngine, type World } from '../../test/world.ts'

const HOUR = 3600

/** Fills a counter up to `count`, as if that many had come before. */
const fill = ({ db }: World, pattern: string, count: number) =>
  db.updateTable('rateLimit').set({ count }).where('key', 'like', pattern).execute()

const register = (world: World, address: string) =>
  callingFrom(world, address).send(
    new Request('http://localhost:3000/api/auth/oauth2/register', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ redirect_uris: ['https://client.example/callback'], token_endpoint_auth_method: 'none' }),
    }),
  )

onEveryEngine(
  'budgets of mail',
  (it) => {
    it('allow 5 an hour to one address, known or not, and say the same of both', async (world) => {
      const { account } = await visit(world, 'known', { address: '192.0.2.1' })
      const before = (await world.mails(account.email)).length
      for (const [email, sent] of [
        [account.email, before],
        ['unknown@example.com', 0],
      ] as const) {
        const answers = []
        for (let index = sent; index < 5; index++) {
          const client = callingFrom(world, `203.0.113.${index}`)
          answers.push(
            await (index % 2 ? client.accounts.sendCode({ email }) : client.accounts.forgotPassword({ email })),
          )
        }
        const error = await refusal(callingFrom(world, '203.0.113.9').accounts.sendCode({ email }))
        assert.deepEqual([error.status, error.code], [429, 'rate_limited'])
        assert.ok(Number(error.headers.get('retry-after')) > HOUR - 300)
        assert.match(error.headers.get('ratelimit-policy')!, /"mails-address-hour";q=5;w=3600/)
        assert.equal((await world.mails(email)).length, 5)
        world.clock.pass(HOUR + 1)
        await callingFrom(world, '203.0.113.9').accounts.sendCode({ email })
      }
    })

    it('allow 20 an hour caused by one network', async (world) => {
      for (let index = 0; index < 20; index++) {
        const client = callingFrom(world, `203.0.113.${index}`)
        const email = `person-${index}@example.com`
        if (index % 2) await client.accounts.sendCode({ email })
        else await client.claims.claim({ email, client_id: AGENT, scope: 'community:read' })
      }
      const last = callingFrom(world, '203.0.113.99')
      const email = 'last@example.com'
      const error = await refusal(last.accounts.sendCode({ email }))
      assert.equal(error.status, 429)
      assert.match(error.message, /^Too many mails from your network/)
      const claim = await refusal(last.claims.claim({ email, client_id: AGENT, scope: 'community:read' }))
      assert.deepEqual([claim.status, (claim.body as { error: string }).error], [429, 'rate_limited'])
      await callingFrom(world, '203.0.114.1').accounts.sendCode({ email })
      world.clock.pass(HOUR + 1)
      await last.accounts.sendCode({ email })
    })

    it('allow 2,000 an hour in all', async (world) => {
      await callingFrom(world, '203.0.113.1').accounts.sendCode({ email: 'first@example.com' })
      await fill(world, 'mails:all:%', 1_999)
      await callingFrom(world, '203.0.114.1').accounts.sendCode({ email: 'second@example.com' })
      const error = await refusal(callingFrom(world, '203.0.115.1').accounts.sendCode({ email: 'third@example.com' }))
      assert.equal(error.status, 429)
      assert.equal((await world.mails('third@example.com')).length, 0)
    })

    it('let n of many at once through', async (world) => {
      const results = await Promise.allSettled(
        Array.from({ length: 12 }, (_, index) =>
          callingFrom(world, `203.0.${index}.1`).accounts.sendCode({ email: 'one@example.com' }),
        ),
      )
      assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 5)
      assert.equal((await world.mails('one@example.com')).length, 5)
    })

    it('hold for claims, whose own limit stays beside it', async (world) => {
      const client = callingFrom(world, '203.0.113.1')
      const { account } = await visit(world, 'known', { address: '192.0.2.1' })
      const { email } = account
      world.clock.pass(HOUR + 1)
      const claim = () => client.claims.claim({ email, client_id: AGENT, scope: 'community:read' })
      const words = async () => {
        const { status, body } = await refusal(claim())
        assert.equal(status, 429)
        return (body as { error_description: string }).error_description
      }
      for (let index = 0; index < 3; index++) await claim()
      assert.match(await words(), /^Too many codes for this address/)
      world.clock.pass(HOUR + 1)
      for (let index = 0; index < 5; index++) {
        await claim()
        await client.claims.verify({ email, client_id: AGENT, code: await world.code(email) })
      }
      assert.match(await words(), /^Too many mails to this address/)
    })

    it('keep no address in the table of counts', async (world) => {
      await callingFrom(world, '203.0.113.1').accounts.sendCode({ email: 'person@example.com' })
      const rows = await world.db.selectFrom('rateLimit').select('key').where('key', 'like', 'mails:%').execute()
      assert.equal(rows.length, 3)
      assert.ok(rows.every(({ key }) => !key.includes('person') && key.length < 80))
    })
  },
  { RATE_LIMITS: 'on' },
)

onEveryEngine(
  'budgets of registration',
  (it) => {
    it('allow 500 an hour to a network and 5,000 in all', async (world) => {
      const first = await register(world, '192.0.2.1')
      assert.equal(first.status, 201)
      assert.equal(first.headers.get('ratelimit-policy'), '"registrations-network-hour";q=500;w=3600')
      assert.match(first.headers.get('ratelimit')!, /^"registrations-network-hour";r=499;t=3600$/)
      await fill(world, 'registrations:network:%', 499)
      assert.equal((await register(world, '192.0.2.2')).status, 201)
      const refused = await register(world, '192.0.2.3')
      assert.equal(refused.status, 429)
      assert.ok(Number(refused.headers.get('retry-after')) > HOUR - 300)
      const body = (await refused.json()) as { error: string; error_description: string }
      assert.equal(body.error, 'rate_limited')
      assert.match(body.error_description, /^Too many client registrations from your network/)
      assert.equal((await register(world, '192.0.3.1')).status, 201)
      await fill(world, 'registrations:all:%', 4_999)
      assert.equal((await register(world, '192.0.4.1')).status, 201)
      assert.equal((await register(world, '192.0.5.1')).status, 429)
      world.clock.pass(HOUR + 1)
      assert.equal((await register(world, '192.0.2.1')).status, 201)
    })

    it('let n of many at once through, and count none that is refused', async (world) => {
      assert.equal((await register(world, '192.0.2.1')).status, 201)
      const bad = new Request('http://localhost:3000/api/auth/oauth2/register', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ redirect_uris: [] }),
      })
      assert.equal((await callingFrom(world, '192.0.2.1').send(bad)).status, 400)
      await fill(world, 'registrations:network:%', 490)
      const answers = await Promise.all(Array.from({ length: 20 }, () => register(world, '192.0.2.9')))
      assert.equal(answers.filter(({ status }) => status === 201).length, 10)
    })
  },
  { RATE_LIMITS: 'on' },
)
