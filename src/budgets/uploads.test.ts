// Uploads that are being read: their bytes count, an account has a few at once, and one that comes too slowly ends.
import assert from 'node:assert/strict'
import { describe, it as plainIt } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { begin, type Open, staged, untilStaged } from '../../test/open-uploads.ts'
import { type Visitor, verify, visit } from '../../test/visitor.ts'
import { onEveryEngine, type World } from '../../test/world.ts'
import { inTime, LEAST_BYTES_A_SECOND, MOST_SECONDS, WINDOW_SECONDS, watchPace } from '../surfaces/http/body.ts'

const MEGABYTE = 1_048_576
const orgJson = JSON.stringify({ name: 'Desk', roles: [{ id: 'solo' }] })

async function prepare(world: World, { verified = true } = {}): Promise<{ who: Visitor; orgId: string }> {
  const who = await visit(world, 'maker', { address: '192.0.2.1', verified })
  const { id: orgId } = await who.orgs.create({ orgJson })
  return { who, orgId }
}

/** Lets time pass in steps until the request is answered, `most` seconds in all: how soon it is looked at depends on the machine. */
async function answerAfter(
  world: World,
  { answer }: Open,
  { step, most }: { step: number; most: number },
): Promise<Response> {
  let isAnswered = false
  answer.then(() => {
    isAnswered = true
  })
  for (let passed = 0; !isAnswered; passed += step) {
    if (passed < most) world.clock.pass(step)
    await sleep(100)
  }
  return answer
}

/** Those that are read stay within their minute. */
const waitForPlace = async (world: World, who: Visitor, open: Open) => {
  // Behind it on the same way: by then it waits.
  for (let n = 0; n < 5; n++) await who.usage.get()
  return answerAfter(world, open, { step: 1, most: WINDOW_SECONDS - 5 })
}

const settings = {
  RATE_LIMITS: 'on',
  BUDGETS: 'runs: 100/hour, 100/hour; bytes: 5MB, 3MB; staged: 64MB',
  // They are counted by each process.
  TEST_PROCESSES: '1',
}

onEveryEngine(
  'uploads that are being read',
  (it) => {
    it('count against the quota of the account by the length that they declare', async (world) => {
      const { who, orgId } = await prepare(world)
      const first = begin(who, orgId, 3 * MEGABYTE)
      await untilStaged(world, 1)
      const second = await begin(who, orgId, 3 * MEGABYTE).answer
      assert.equal(second.status, 429)
      assert.match(second.headers.get('ratelimit-policy')!, /"bytes";q=5242880;qu="content-bytes"/)
      const third = begin(who, orgId, MEGABYTE)
      await untilStaged(world, 2)
      for (const one of [first, third]) one.finish()
      assert.deepEqual([(await first.answer).status, (await third.answer).status], [201, 201])
      // They were shorter than they said: what they held is given back.
      const fourth = begin(who, orgId, 4 * MEGABYTE)
      await untilStaged(world, 1)
      fourth.cutOff()
      assert.equal((await fourth.answer).status, 400)
      await untilStaged(world, 0)
      const fifth = begin(who, orgId, 4 * MEGABYTE)
      fifth.finish()
      assert.equal((await fifth.answer).status, 201)
    })

    it('count as they come where they do not say how long they are', async (world) => {
      const { who, orgId } = await prepare(world)
      const uploads = [begin(who, orgId), begin(who, orgId), begin(who, orgId), begin(who, orgId)]
      await untilStaged(world, 4)
      for (const upload of uploads.slice(1)) upload.send(1.9 * MEGABYTE)
      const refused = await Promise.race(uploads.map(({ answer }) => answer))
      assert.equal(refused.status, 429)
      await untilStaged(world, 3)
      for (const upload of uploads) upload.cutOff()
      await Promise.all(uploads.map(({ answer }) => answer))
      await untilStaged(world, 0)
    })

    it('are four of an account at once: a further one waits, and is 429 after 30 seconds', async (world) => {
      const { who, orgId } = await prepare(world)
      const four = Array.from({ length: 4 }, () => begin(who, orgId, 1000))
      await untilStaged(world, 4)
      const waiting = begin(who, orgId, 1000)
      const refused = await waitForPlace(world, who, waiting)
      assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '30'])
      assert.match(refused.headers.get('ratelimit')!, /"uploads-at-once";r=0/)
      const patient = begin(who, orgId, 1000)
      patient.finish()
      // Other accounts have their own.
      const other = await visit(world, 'other', { address: '192.0.2.2', verified: true })
      const theirs = begin(other, orgId, 1000)
      theirs.finish()
      assert.equal((await theirs.answer).status, 201)
      assert.equal(await staged(world), 4)
      four[0]!.finish()
      assert.equal((await patient.answer).status, 201)
      for (const one of four) one.cutOff()
      await Promise.all(four.map(({ answer }) => answer.catch(() => {})))
    })

    it('are one at once until the email is verified, within its quota', async (world) => {
      const { who, orgId } = await prepare(world, { verified: false })
      const first = begin(who, orgId, 1000)
      await untilStaged(world, 1)
      const second = begin(who, orgId, 1000)
      second.finish()
      assert.equal(await staged(world), 1)
      first.finish()
      assert.deepEqual([(await first.answer).status, (await second.answer).status], [201, 201])
      assert.equal((await begin(who, orgId, 4 * MEGABYTE).answer).status, 429)
      await verify(world, who.account)
      const third = begin(who, orgId, 4 * MEGABYTE)
      third.finish()
      assert.equal((await third.answer).status, 201)
    })

    it('have a total, of which a network has a share: what finds no room waits, and is 503', async (world) => {
      const { orgId } = await prepare(world)
      // 32 MB a network, at every total: six accounts of 5 MB.
      const people = await Promise.all(
        Array.from({ length: 8 }, (_, n) => visit(world, `person${n}`, { address: `198.51.100.${n}`, verified: true })),
      )
      const far = await visit(world, 'far', { address: '203.0.113.1', verified: true })
      const held = people.slice(0, 6).map((who) => begin(who, orgId, 5 * MEGABYTE))
      await untilStaged(world, 6)
      const further = begin(people[7]!, orgId, 5 * MEGABYTE)
      const away = begin(far, orgId, 5 * MEGABYTE)
      away.finish()
      assert.equal((await away.answer).status, 201)
      const refused = await waitForPlace(world, people[7]!, further)
      assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '30'])
      for (const one of held) one.cutOff()
      await Promise.all(held.map(({ answer }) => answer))
    })

    it('end with 408 when they stand still for a minute, or take more than fifteen', async (world) => {
      const { who, orgId } = await prepare(world)
      for (const seconds of [WINDOW_SECONDS, MOST_SECONDS]) {
        const upload = begin(who, orgId, MEGABYTE)
        await untilStaged(world, 1)
        assert.equal((await answerAfter(world, upload, { step: seconds, most: Number.POSITIVE_INFINITY })).status, 408)
        await untilStaged(world, 0)
      }
    })
  },
  settings,
)

describe('the pace of an upload', () => {
  const LEAST = LEAST_BYTES_A_SECOND * WINDOW_SECONDS

  /** Runs `steps` by a clock of its own: bytes that came, and then the seconds in which nothing did. */
  function run(steps: readonly [bytes: number, seconds: number][], t: import('node:test').TestContext): boolean {
    t.mock.timers.enable({ apis: ['setInterval'] })
    let now = 0
    let failed = false
    const watch = watchPace({ elapsed: () => now }, () => {})
    watch.begin(() => {
      failed = true
    })
    for (const [bytes, seconds] of steps) {
      watch.waits()
      now += seconds * 1000
      t.mock.timers.tick(500)
      watch.arrived(bytes)
      t.mock.timers.tick(500)
    }
    watch.end()
    t.mock.timers.reset()
    return failed
  }

  plainIt('is 32 KB a second, over each minute that its sender is waited for', (t) => {
    assert.equal(
      run(
        [
          [LEAST, 30],
          [0, 30],
        ],
        t,
      ),
      false,
    )
    assert.equal(
      run(
        [
          [LEAST - 1, 30],
          [0, 30],
        ],
        t,
      ),
      true,
    )
    assert.equal(
      run(
        [
          [LEAST, 59],
          [1, 1],
          [LEAST, 59],
          [1, 1],
        ],
        t,
      ),
      false,
    )
    assert.equal(
      run(
        [
          [LEAST, 59],
          [1, 1],
          [LEAST - 2, 59],
          [0, 1],
        ],
        t,
      ),
      true,
    )
  })

  plainIt('ends after fifteen minutes, however fast it is', (t) => {
    const minutes = (count: number) => Array.from({ length: count }, (): [number, number] => [2 * LEAST, 59.9])
    assert.equal(run(minutes(15), t), false)
    assert.equal(run([...minutes(15), [LEAST, 5]], t), true)
  })

  plainIt('of a small body that is read whole is a minute', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const reading = inTime(new Promise<never>(() => {}))
    const answered = reading.then(String, (error: { code: string }) => error.code)
    t.mock.timers.tick(WINDOW_SECONDS * 1000 - 1)
    assert.equal(await Promise.race([answered, Promise.resolve('waits')]), 'waits')
    t.mock.timers.tick(1)
    assert.equal(await answered, 'too_slow')
    assert.equal(await inTime(Promise.resolve('whole')), 'whole')
  })
})
