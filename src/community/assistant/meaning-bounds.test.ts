// Bounds of what things mean: tokens, titles, vectors that are looked through, and a machine that changes or is not there; on both engines.
import assert from 'node:assert/strict'
import { answerBy, meanBy } from '../../../test/http-service.ts'
import {
  inputs,
  meaning,
  meant,
  OTHER_WORDS,
  report,
  same,
  service,
  settings,
  similar,
} from '../../../test/meanings.ts'
import { onEveryEngine, type World } from '../../../test/world.ts'
import { engineOf } from '../../database/engine.ts'
import { newId } from '../../runtime/ids.ts'
import { findNearest, MAX_VECTORS, storedVector } from '../../search/meaning.ts'
import { upsertMeanings } from '../../search/meaning-queries.ts'
import { AT_ONCE, TITLES } from './meanings.ts'

const used = async ({ db }: World) => Number((await db.selectFrom('machineDay').select('tokens').execute())[0]?.tokens)
const idsOf = (items: { id: string }[]) => items.map(({ id }) => id)

onEveryEngine(
  'what things mean, where the machine changes',
  (it) => {
    it('is forgotten, and asked of the other one', async (world) => {
      const { alice, app, admin } = world
      const change = (changes: Record<string, string | null>) => admin.settings.change({ changes })
      const { AI_URL, AI_MODEL } = settings
      await change({ AI_URL, AI_MODEL, AI_EMBEDDINGS_MODEL: 'vectors-1' })
      meaning()
      for (let n = 0; n < 3; n++) await alice.posts.create({ title: `Title ${n}`, body: 'B' })
      await app.understand()
      const before = await meant(world)
      await change({ AI_EMBEDDINGS_MODEL: 'vectors-2' })
      await app.understand()
      const after = await meant(world)
      assert.deepEqual(idsOf(after), idsOf(before))
      assert.notEqual(after[0]?.space, before[0]?.space)
      assert.equal(inputs().length, 6)
      await change({ AI_EMBEDDINGS_MODEL: null })
      await app.understand()
      assert.deepEqual(await meant(world), [])
      assert.equal(inputs().length, 6)
    })
  },
  { PRIVATE_SERVICES: settings.PRIVATE_SERVICES, TEST_PROCESSES: '1' },
)

onEveryEngine(
  'what things mean, within the tokens of a day',
  (it) => {
    it('takes half of them at most, and the rest the next day', async (world) => {
      const { alice, app, clock } = world
      service.arrived.length = 0
      const answer = (tokens: number) => {
        meanBy(service, same)
        const means = service.answer
        service.answer = (request, response) => {
          const end = response.end.bind(response)
          response.end = ((body: string) =>
            end(JSON.stringify({ ...JSON.parse(body), usage: { total_tokens: tokens } }))) as typeof response.end
          means(request, response)
        }
      }
      answer(640)
      for (let n = 0; n < 3 * AT_ONCE; n++) await alice.posts.create({ title: `Title ${n}`, body: 'B' })
      await app.understand()
      assert.equal((await meant(world)).length, 2 * AT_ONCE)
      assert.equal(await used(world), 1_280)
      await app.understand()
      assert.equal(service.arrived.length, 2)
      answerBy(service, 'Short', 50)
      assert.equal((await alice.assistant.summarize({ type: 'post', id: (await meant(world))[0]!.id })).text, 'Short')
      meaning()
      clock.pass(86_400)
      await app.understand()
      assert.equal((await meant(world)).length, 3 * AT_ONCE)
    })
  },
  { ...settings, AI_DAILY_TOKENS: '2600' },
)

onEveryEngine(
  'who has many titles compared',
  (it) => {
    it('gets them compared by their words alone after some in an hour', async (world) => {
      const { alice, bob, app, clock } = world
      meaning()
      const { id } = await alice.bugs.create(report)
      await app.understand()
      for (let n = 0; n < TITLES.tries - 1; n++) await similar(bob, `${OTHER_WORDS} ${'a'.repeat(1 + (n % 50))}${n}`)
      assert.equal(service.arrived.length, TITLES.tries)
      // What was asked before is remembered, and costs nothing.
      assert.deepEqual(idsOf(await similar(bob, 'stops sending image')), [id])
      assert.deepEqual(idsOf(await similar(bob, 'stops sending image')), [id])
      assert.deepEqual(await similar(bob, 'dies sending image'), [])
      assert.deepEqual(idsOf(await similar(alice, 'dies sending image')), [id])
      clock.pass(TITLES.windowSeconds)
      assert.deepEqual(idsOf(await similar(bob, 'fails sending image')), [id])
    })
  },
  { ...settings, RATE_LIMITS: 'on', TEST_PROCESSES: '1' },
)

onEveryEngine(
  'things that mean the same, without a machine for it',
  (it) => {
    it('are not looked for: nothing is asked, stored or said', async (world) => {
      const { alice, bob, anonymous, app, admin } = world
      service.arrived.length = 0
      await alice.bugs.create(report)
      await app.understand()
      const path = '/api/search/similar?title=It%20crashes%20upload&type=bug'
      const [one, other] = [await bob.request(path), await anonymous.request(path)]
      assert.equal(await one.text(), await other.text())
      assert.deepEqual(await meant(world), [])
      assert.equal(await used(world), Number.NaN)
      const wrong = { AI_EMBEDDINGS_MODEL: 'vectors-1' }
      await assert.rejects(admin.settings.change({ changes: wrong }), { status: 400, message: /AI_URL/ })
      const elsewhere = { ...wrong, AI_URL: 'https://ai.example/v1/answers', AI_MODEL: 'small-1' }
      await assert.rejects(admin.settings.change({ changes: elsewhere }), { status: 400, message: /chat\/completions/ })
      await admin.settings.change({ changes: { ...elsewhere, AI_URL: 'https://ai.example/v1/chat/completions?v=2' } })
      assert.equal(world.dependencies.config.ai?.embeddings?.url, 'https://ai.example/v1/embeddings?v=2')
      assert.deepEqual(service.arrived, [])
    })
  },
  { TEST_PROCESSES: '1' },
)

onEveryEngine('the search by meaning', (it) => {
  it('are looked for among the newest, in batches between which others have their turn', async ({ db }) => {
    const space = 'tested'
    const far = storedVector([1, ...new Array(7).fill(0)])!
    const near = storedVector([0, 1, ...new Array(6).fill(0)])!
    const ids = Array.from({ length: MAX_VECTORS + 1 }, () => newId()).sort()
    for (let from = 0; from < ids.length; from += 200) {
      const some = ids.slice(from, from + 200)
      await db.transaction().execute(async (transaction) => {
        await transaction
          .insertInto('searchDocument')
          .values(some.map((id, n) => documentOf(id, 2 ** 40 * 50 + from + n, engineOf(db))))
          .execute()
        const rows = some.map((id) => ({ id, type: 'bug' as const, space, vector: far }))
        await upsertMeanings(transaction, rows, space)
      })
    }
    const setTo = (id: string, vector: string) =>
      db.transaction().execute((one) => upsertMeanings(one, [{ id, type: 'bug', space, vector }], space))
    const find = () => findNearest(db, { space, vector: near, types: ['bug'], limit: 5 })
    await setTo(ids[0]!, near)
    assert.deepEqual(await find(), [])
    await setTo(ids[1]!, near)
    let turns = 0
    // Not a timer: on a fast machine all batches end within a millisecond or two.
    let isLooking = true
    const turn = () => {
      turns++
      if (isLooking) setImmediate(turn)
    }
    setImmediate(turn)
    assert.deepEqual(await find(), [ids[1]])
    isLooking = false
    assert.ok(turns > 3, String(turns))
    assert.deepEqual(await findNearest(db, { space: 'other', vector: near, types: ['bug'], limit: 5 }), [])
    assert.deepEqual(await findNearest(db, { space, vector: storedVector([1, 2])!, types: ['bug'], limit: 5 }), [])
  })
})

const documentOf = (id: string, rowId: number, engine: string) => ({
  ...{ rowId, id, type: 'bug' as const, counted: 0 as const, authorId: null, parentType: null, parentId: null },
  ...{ title: 'T', names: '', url: '/', createdAt: null, body: 'B', viaClientId: null, meantBy: null },
  ...(engine === 'postgres' && { terms: '' }),
})
