// Stored bytes: counted in step with what holds them, and held to a quota, on SQLite and on PostgreSQL.
import assert from 'node:assert/strict'
import { orgFile, workflowFile } from '../../test/library.ts'
import { tinyPng } from '../../test/pictures.ts'
import { refusal, type Visitor, verify, visit } from '../../test/visitor.ts'
import { onEveryEngine, type World } from '../../test/world.ts'

const MEGABYTE = 1_048_576
const orgJson = JSON.stringify({ name: 'Desk', roles: [{ id: 'solo' }] })
const text = (bytes: number) => new File(['x'.repeat(bytes)], 'notes.md')

const stored = async (who: Pick<Visitor, 'usage'>) => (await who.usage.get()).storedBytes

/** What the rows say. */
async function recount({ db }: World, id: string): Promise<number> {
  const versions = await db
    .selectFrom('itemVersion')
    .innerJoin('libraryItem', 'libraryItem.id', 'itemVersion.itemId')
    .select('itemVersion.size')
    .where('ownerId', '=', id)
    .execute()
  const files = await db
    .selectFrom('orgRunFile')
    .innerJoin('orgRun', 'orgRun.id', 'orgRunFile.runId')
    .select('sizeBytes as size')
    .where('authorId', '=', id)
    .execute()
  const images = await db.selectFrom('orgImage').select('size').where('uploaderId', '=', id).execute()
  return [...versions, ...files, ...images].reduce((total, { size }) => total + size, 0)
}

onEveryEngine(
  'stored bytes',
  (it) => {
    it('are those of versions, orgs, runs, images and the picture, and go with them', async (world) => {
      const who = await visit(world, 'maker', { address: '192.0.2.1', verified: true })
      const other = await visit(world, 'other', { address: '192.0.2.2', verified: true })
      const { id: itemId, size } = await who.library.publish({ kind: 'workflow', file: workflowFile() })
      await who.library.publishVersion({ id: itemId, file: workflowFile() })
      assert.equal(await stored(who), 2 * size)
      const { id: orgId } = await who.orgs.create({ orgJson })
      assert.equal(await stored(who), 2 * size + orgJson.length)
      const { id: runId } = await other.orgRuns.add({ id: orgId, files: [text(100), text(50)] })
      await other.orgRuns.add({ id: orgId, files: [text(7)] })
      await who.orgRuns.add({ id: orgId, files: [text(20)] })
      await who.orgImages.add({ id: orgId, image: await tinyPng() })
      assert.equal(await stored(other), 157)
      for (const one of [who, other]) assert.equal(await stored(one), await recount(world, one.account.id))
      await other.orgRuns.delete({ id: orgId, runId })
      assert.equal(await stored(other), 7)
      await who.orgs.delete({ id: orgId })
      assert.deepEqual([await stored(who), await stored(other)], [2 * size, 0])
      await who.library.delete({ id: itemId })
      assert.equal(await stored(who), 0)
      await who.avatars.set({ avatar: await tinyPng() })
      const one = await stored(who)
      assert.ok(one > 0)
      await who.avatars.set({ avatar: await tinyPng() })
      assert.equal(await stored(who), one)
    })

    it('are held to 20 MB until the email is verified, to the byte', async (world) => {
      const who = await visit(world, 'maker', { address: '192.0.2.1' })
      const { id } = await who.orgs.create({ orgJson })
      assert.equal((await who.usage.get()).storedBytesLimit, 20 * MEGABYTE)
      // All but a little of it, as if it had been stored over many hours.
      const room = 1000
      const runs = 20 * MEGABYTE - orgJson.length - room
      await world.db
        .updateTable('storedBytes')
        .set({ bytes: orgJson.length + runs })
        .where('accountId', '=', who.account.id)
        .execute()
      const error = await refusal(who.orgRuns.add({ id, files: [text(room + 1)] }))
      assert.deepEqual([error.status, error.headers.get('retry-after')], [429, '3600'])
      assert.match(error.message, /^This account stores .* of at most 20 MB; .* verify your email/)
      assert.equal(error.headers.get('ratelimit-policy'), '"bytes";q=20971520;qu="content-bytes"')
      assert.equal(error.headers.get('ratelimit'), `"bytes";r=${room}`)
      const library = await refusal(who.library.publish({ kind: 'org', file: orgFile({ goal: 'x'.repeat(room) }) }))
      assert.deepEqual([library.status, library.code], [429, 'rate_limited'])
      await who.orgRuns.add({ id, files: [text(room)] })
      for (const call of [
        () => who.orgRuns.add({ id, files: [text(1)] }),
        () => who.orgs.create({ orgJson }),
        async () => who.avatars.set({ avatar: await tinyPng() }),
        async () => who.orgImages.add({ id, image: await tinyPng() }),
        () => who.library.publish({ kind: 'workflow', file: workflowFile() }),
      ])
        assert.equal((await refusal(call())).status, 429)
      await verify(world, who.account)
      await who.orgRuns.add({ id, files: [text(room + 1)] })
      assert.equal((await who.usage.get()).storedBytesLimit, 2048 * MEGABYTE)
    })

    it('are held to 2 GB after that', async (world) => {
      const who = await visit(world, 'maker', { address: '192.0.2.1', verified: true })
      const { id } = await who.orgs.create({ orgJson })
      await world.db
        .updateTable('storedBytes')
        .set({ bytes: 2048 * MEGABYTE - 10 })
        .where('accountId', '=', who.account.id)
        .execute()
      const error = await refusal(who.orgRuns.add({ id, files: [text(11)] }))
      assert.equal(error.status, 429)
      assert.doesNotMatch(error.message, /verify/)
      await who.orgRuns.add({ id, files: [text(10)] })
      assert.equal(await stored(who), 2048 * MEGABYTE)
    })

    it('stay within the quota when many come at once', async (world) => {
      const who = await visit(world, 'maker', { address: '192.0.2.1', verified: true })
      const { id } = await who.orgs.create({ orgJson })
      await world.db
        .updateTable('storedBytes')
        .set({ bytes: 2048 * MEGABYTE - 50 })
        .where('accountId', '=', who.account.id)
        .execute()
      const results = await Promise.allSettled(
        Array.from({ length: 20 }, () => who.orgRuns.add({ id, files: [text(10)] })),
      )
      assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 5)
      assert.equal(await stored(who), 2048 * MEGABYTE)
    })

    it('are right while runs come and their org goes', async (world) => {
      const who = await visit(world, 'maker', { address: '192.0.2.1', verified: true })
      const other = await visit(world, 'other', { address: '192.0.2.2', verified: true })
      for (let round = 0; round < 5; round++) {
        const { id } = await who.orgs.create({ orgJson })
        const adding = Array.from({ length: 8 }, (_, index) =>
          (index % 2 ? who : other).orgRuns.add({ id, files: [text(10)] }).catch(() => {}),
        )
        await Promise.all([...adding, who.orgs.delete({ id })])
      }
      for (const one of [who, other]) assert.equal(await stored(one), await recount(world, one.account.id))
    })

    it('have no limit for admins', async (world) => {
      const { admin, db } = world
      const { id } = await admin.orgs.create({ orgJson })
      const { id: accountId } = await admin.account()
      await db
        .updateTable('storedBytes')
        .set({ bytes: 4096 * MEGABYTE })
        .where('accountId', '=', accountId)
        .execute()
      await admin.orgRuns.add({ id, files: [text(10)] })
      const { storedBytes, storedBytesLimit } = await admin.usage.get()
      assert.deepEqual([storedBytes, storedBytesLimit], [4096 * MEGABYTE + 10, null])
    })
  },
  { RATE_LIMITS: 'on' },
)
