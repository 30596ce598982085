// Things that mean about the same: what the machine is told for that, who finds what by it, and what it may use up; on both engines.
import assert from 'node:assert/strict'
import { erase } from '../../../test/erasure.ts'
import { answerBy, embeddingOf } from '../../../test/http-service.ts'
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
import { assertSound } from '../../../test/sound.ts'
import { onEveryEngine } from '../../../test/world.ts'
import { required } from '../../runtime/untyped.ts'
import { MAX_DIMENSIONS, storedVector } from '../../search/meaning.ts'
import { AT_ONCE, TEXT_LENGTH } from './meanings.ts'

const idsOf = (items: { id: string }[]) => items.map(({ id }) => id)

onEveryEngine(
  'things that mean the same',
  (it) => {
    it('are found in other words by who is signed in, and marked', async (world) => {
      const { alice, bob, anonymous, app } = world
      meaning()
      const { id } = await alice.bugs.create(report)
      await alice.bugs.create({ title: 'A colour', description: 'Blue instead of green', severity: 'low' })
      assert.equal(service.arrived.length, 0)
      await app.understand()
      assert.deepEqual(inputs().sort(), [
        'A colour\n\nBlue instead of green',
        `${report.title}\n\n${report.description}`,
      ])
      const { path, headers } = required(service.arrived.at(-1))
      assert.deepEqual([path, headers.authorization], ['/v1/embeddings', 'Bearer sk-secret'])
      const [found, ...more] = await similar(bob)
      assert.deepEqual(more, [])
      assert.deepEqual([found?.id, found?.likely, found?.foundBy], [id, false, 'machine'])
      assert.deepEqual(idsOf(await similar(bob, OTHER_WORDS, undefined)), [id])
      assert.deepEqual(await similar(bob, OTHER_WORDS, 'post'), [])
      assert.deepEqual(await similar(anonymous), [])
      await assertSound(world)
    })

    it('come after those with the same words, each once, five in all', async ({ alice, bob, app }) => {
      meaning()
      const first = await alice.bugs.create({ ...report, title: 'The photo dies sending' })
      for (let n = 0; n < 6; n++) await alice.bugs.create({ ...report, title: `It crashes upload picture ${n}` })
      const weak = await alice.bugs.create({ ...report, title: 'A photo is too blue in here now' })
      await app.understand()
      const items = await similar(bob, OTHER_WORDS)
      assert.equal(items.length, 5)
      assert.deepEqual([items[0]?.id, items[0]?.foundBy, items[0]?.likely], [first.id, undefined, true])
      assert.ok(items.slice(1).every(({ foundBy, id }) => foundBy === 'machine' && id !== weak.id))
      assert.equal(new Set(idsOf(items)).size, 5)
    })

    it('come first where they have some of the words as well', async ({ alice, bob, app }) => {
      meaning()
      const both = await alice.bugs.create({ ...report, title: 'The image dies uploading', description: 'Every time' })
      const { id } = await alice.bugs.create({ ...report, title: 'It crashes upload picture' })
      const weak = await alice.bugs.create({ ...report, title: 'The printer dies', description: 'Out of paper' })
      await app.understand()
      const items = await similar(bob, OTHER_WORDS)
      assert.deepEqual(idsOf(items), [both.id, id, weak.id])
      assert.deepEqual(
        items.map(({ likely, foundBy }) => [likely, foundBy]),
        [
          [false, undefined],
          [false, 'machine'],
          [false, undefined],
        ],
      )
    })

    it('are none that the reader does not see, and nothing of a closed board is sent', async (world) => {
      const { alice, bob, admin, moderator, app } = world
      meaning()
      await admin.boards.create({ slug: 'staff', name: 'Staff', readers: 'roles: admin' })
      await admin.bugs.create({ ...report, board: 'staff' })
      const moved = await alice.bugs.create({ ...report, title: 'It crashes upload picture again' })
      const hidden = await alice.bugs.create(report)
      const gone = await alice.bugs.create(report)
      await app.understand()
      assert.equal(inputs().length, 3)
      await admin.boards.move({ board: 'staff', type: 'bug', id: moved.id, confirm: true })
      await bob.reports.create({ targetType: 'bug', targetId: hidden.id, reason: 'spam' })
      const [one] = (await moderator.moderation.cases({})).items
      await moderator.moderation.decide({ id: one!.id, action: 'hide', rule: 'spam', reason: 'No' })
      await alice.bugs.delete({ id: gone.id })
      for (const person of [alice, bob, admin]) assert.deepEqual(await similar(person), [])
      assert.deepEqual(await meant(world), [])
      await app.understand()
      assert.equal(inputs().filter((text) => text.includes('picture')).length, 3)
    })

    it('go with the account of their author', async (world) => {
      const { alice, bob, app } = world
      meaning()
      await alice.posts.create({ title: report.title, body: 'Mine' })
      const { id } = await bob.posts.create({ title: report.title, body: 'His' })
      await app.understand()
      assert.equal((await meant(world)).length, 2)
      await erase(world, alice, 'delete')
      assert.deepEqual(idsOf(await meant(world)), [id])
    })

    it('are understood again when the text changes, and not by anything else', async (world) => {
      const { alice, bob, moderator, app } = world
      meaning()
      const { id } = await alice.bugs.create(report)
      await app.understand()
      await bob.bugs.vote({ id, value: 1 })
      await bob.bugs.comment({ id, body: 'Here too' })
      await moderator.bugs.triage({ id, severity: 'high', reason: 'Yes' })
      await app.understand()
      assert.equal(inputs().length, 1)
      await alice.bugs.edit({ id, title: 'A colour', description: 'Blue' })
      await app.understand()
      assert.deepEqual(inputs()[1], 'A colour\n\nBlue')
      assert.deepEqual(await similar(bob), [])
    })

    it('are not stored for a text that changed while the machine was asked', async (world) => {
      const { alice, app } = world
      meaning()
      const { id } = await alice.posts.create({ title: 'One', body: 'B' })
      const answer = service.answer
      service.answer = (request, response) => {
        service.answer = answer
        void alice.posts.edit({ id, title: 'Two' }).then(() => answer(request, response))
      }
      await app.understand()
      await app.understand()
      assert.deepEqual(inputs(), ['One\n\nB', 'Two\n\nB'])
      assert.equal((await meant(world))[0]?.vector, storedVector(embeddingOf('Two\n\nB', same)))
    })

    it('are asked in batches, of a bounded length, and one that is refused holds up no other one', async (world) => {
      const { alice, app } = world
      meaning()
      for (let n = 0; n <= AT_ONCE; n++) await alice.posts.create({ title: `Title ${n}`, body: 'x'.repeat(2_000) })
      await alice.posts.create({ title: 'Forbidden', body: 'B' })
      const answer = service.answer
      service.answer = (request, response) => {
        const { input } = JSON.parse(service.arrived.at(-1)!.body) as { input: string[] }
        if (input.some((text) => text.includes('Forbidden'))) response.writeHead(400).end('{}')
        else answer(request, response)
      }
      await app.understand()
      assert.ok(inputs().every((text) => text.length <= TEXT_LENGTH))
      assert.ok(service.arrived.every(({ body }) => JSON.parse(body).input.length <= AT_ONCE))
      const rows = await meant(world)
      assert.deepEqual([rows.length, rows.filter(({ vector }) => vector === null).length], [AT_ONCE + 2, 1])
      service.arrived.length = 0
      await app.understand()
      assert.deepEqual(service.arrived, [])
      assert.ok(await similar(alice, 'Title 3', 'post'))
    })

    const failures: [string, (n: number) => [number, string]][] = [
      ['an error', () => [500, '{}']],
      ['a refusal of everything', () => [400, '{}']],
      ['no JSON', () => [200, 'Hello']],
      ['too few vectors', () => [200, '{"data":[]}']],
      ['an empty vector', () => [200, '{"data":[{"index":0,"embedding":[]}]}']],
      ['a vector of zeros', () => [200, '{"data":[{"index":0,"embedding":[0,0]}]}']],
      [
        'too many dimensions',
        () => [200, JSON.stringify({ data: [{ index: 0, embedding: new Array(MAX_DIMENSIONS + 1).fill(1) }] })],
      ],
    ]
    for (const [what, answered] of failures) {
      it(`are asked about again where the machine gives ${what}`, async (world) => {
        const { alice, bob, app } = world
        service.answer = (_, response) => {
          const [status, body] = answered(0)
          response.writeHead(status).end(body)
        }
        const { id } = await alice.bugs.create(report)
        await assert.rejects(app.understand())
        assert.deepEqual(await meant(world), [])
        assert.deepEqual(await similar(bob), [])
        meaning()
        await app.understand()
        assert.deepEqual(idsOf(await similar(bob)), [id])
      })
    }

    it('are sources of an answer too, and nothing more is asked for that', async (world) => {
      const { alice, bob, app } = world
      meaning()
      const old = await alice.bugs.create({ ...report, title: OTHER_WORDS, description: 'sending dies' })
      const { id } = await bob.bugs.create(report)
      await app.understand()
      answerBy(service, 'It was mended.')
      const { sources } = await bob.assistant.suggestAnswer({ type: 'bug', id })
      assert.ok(sources.some(({ url }) => url.endsWith(old.id)))
    })
  },
  settings,
)
