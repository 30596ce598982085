// Sign-ups with a password, by network and by address, on SQLite and on PostgreSQL.
import assert from 'node:assert/strict'
import { callingFrom, refusal } from '../../test/visitor.ts'
import { onEveryEngine, type World } from '../../test/world.ts'

let people = 0

const signUp = (world: World, address: string, email = `person-${people++}@example.com`) =>
  callingFrom(world, address).accounts.signUp({ name: 'Person', email, password: 'a password of theirs' })

/** How many of these are let through at once. */
async function letThrough(calls: Promise<unknown>[]): Promise<number> {
  const results = await Promise.allSettled(calls)
  for (const one of results) if (one.status === 'rejected') assert.equal(one.reason.status, 429)
  return results.filter(({ status }) => status === 'fulfilled').length
}

onEveryEngine(
  'sign-ups',
  (it) => {
    it('are 50 an hour of an IPv4 /24, however many come at once', async (world) => {
      const calls = Array.from({ length: 51 }, (_, n) => signUp(world, `203.0.113.${n}`))
      assert.equal(await letThrough(calls), 50)
      const error = await refusal(signUp(world, '203.0.113.200'))
      assert.match(error.message, /^Too many sign-ups from your network; try again in 60 minutes$/)
      assert.match(error.headers.get('ratelimit-policy')!, /"signups-network-hour";q=50;w=3600/)
      await signUp(world, '203.0.114.1')
      world.clock.pass(3601)
      await signUp(world, '203.0.113.200')
    })

    it('are 50 an hour of an IPv6 /48, and 5 of a /64', async (world) => {
      for (let n = 1; n <= 9; n++) {
        assert.equal(await letThrough(Array.from({ length: 6 }, (_, m) => signUp(world, `2001:db8:1:${n}::${m}`))), 5)
      }
      assert.match((await refusal(signUp(world, '2001:db8:1:1::9'))).message, /^Too many sign-ups from your address/)
      assert.equal(await letThrough(Array.from({ length: 6 }, (_, n) => signUp(world, `2001:db8:1:f${n}::1`))), 5)
      await signUp(world, '2001:db8:2:1::1')
    })

    it('are 20 an hour of an IPv4 address, with those of addresses that have an account', async (world) => {
      await signUp(world, '203.0.113.7', 'known@example.com')
      for (let n = 1; n < 20; n++) {
        assert.equal((await refusal(signUp(world, '203.0.113.7', 'known@example.com'))).status, 409)
      }
      assert.equal((await refusal(signUp(world, '203.0.113.7', 'known@example.com'))).status, 429)
      await signUp(world, '203.0.113.8')
    })

    it('are as exact in ten races', async (world) => {
      for (let round = 1; round <= 10; round++) {
        const calls = Array.from({ length: 6 }, (_, n) => signUp(world, `2001:db8:${round}:1::${n}`))
        assert.equal(await letThrough(calls), 5, `round ${round}`)
      }
    })
  },
  { RATE_LIMITS: 'on', BUDGETS: 'mails: off, off, off' },
)
