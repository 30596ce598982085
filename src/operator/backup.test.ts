// Backups and what is restored from them: on either engine to either, in a folder or a bucket, and what is kept of them.
import assert from 'node:assert/strict'
import { readFile, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { piecesIn, settingsOf, withFolders } from '../../test/backups.ts'
import { live } from '../../test/living.ts'
import { openObjectStorage } from '../../test/object-storage.ts'
import { complaintsAbout, runCommand, withOtherPlace, withSamePlace, withWorldOn } from '../../test/operator.ts'
import { onEveryEngine } from '../../test/world.ts'
import { backups, backupWith, restore } from './backup.ts'
import { openRepository } from './repository.ts'
import { unlessTaking, whileTaking } from './taking-turns.ts'

const backup = backupWith(() => import('./shipping.ts'))

onEveryEngine('npm run admin -- backup', (it) => {
  for (const [where, withPlace] of Object.entries({ 'the same engine': withSamePlace, 'the other': withOtherPlace })) {
    it(`is restored to ${where}: all rows and files, and the key`, (world) =>
      withFolders(async (data, kept) => {
        const { bug } = await live(world)
        const before = await world.anonymous.bugs.get({ id: bug })
        const config = await settingsOf(world, data)
        const { code, results } = await runCommand(backup, config, { parameters: [kept] })
        assert.deepEqual([code, (results[0] as { isEncrypted: boolean }).isEncrypted], [0, false])
        await withPlace(world, async (place) => {
          assert.equal(
            (await runCommand(restore, { ...config, ...place }, { parameters: [kept], unauthenticated: true })).code,
            0,
          )
          assert.equal(await readFile(join(place.dataDir, 'signing-key.json'), 'utf8'), '{"kid":"of the test"}')
          await withWorldOn(place, async (restored) => {
            assert.deepEqual(await complaintsAbout(restored), [])
            assert.deepEqual(await restored.anonymous.bugs.get({ id: bug }), before)
          })
        })
      }))
  }

  it('costs what changed, and is restored to the time one asks for', (world) =>
    withFolders(async (data, kept) => {
      const { bug } = await live(world)
      const config = await settingsOf(world, data)
      await runCommand(backup, config, { parameters: [kept] })
      const pieces = (await piecesIn(kept)).length
      const between = new Date().toISOString()
      await world.alice.bugs.edit({ id: bug, title: 'After the first backup' })
      await runCommand(backup, config, { parameters: [kept] })
      const added = (await piecesIn(kept)).length - pieces
      assert.ok(added > 0 && added < pieces / 2, `${added} of ${pieces} pieces are new`)
      const [all] = (await runCommand(backups, config, { parameters: [kept] })).results
      assert.equal((all as object[]).length, 2)
      await withSamePlace(world, async (place) => {
        const asked = { parameters: [kept], unauthenticated: true, at: between }
        assert.equal((await runCommand(restore, { ...config, ...place }, asked)).code, 0)
        await withWorldOn(place, async (restored) => {
          assert.equal((await restored.anonymous.bugs.get({ id: bug })).title, 'Broken lamp')
        })
      })
      const early = { parameters: [kept], unauthenticated: true, at: '2020-01-01T00:00:00Z' }
      await withSamePlace(world, async (place) => {
        assert.equal((await runCommand(restore, { ...config, ...place }, early)).code, 1)
      })
    }))

  it('keeps as many as it is told, and those are whole', (world) =>
    withFolders(async (data, kept) => {
      await live(world)
      const config = await settingsOf(world, data)
      const list = async () => (await runCommand(backups, config, { parameters: [kept] })).results[0] as object[]
      for (let turn = 0; turn < 3; turn++) {
        await world.alice.posts.create({ title: `Post ${turn}`, body: 'B' })
        await runCommand(backup, config, { parameters: [kept], keep: '2' })
      }
      assert.equal((await list()).length, 2)
      for (const keep of ['0', '-1', 'x', '1.5']) {
        assert.equal((await runCommand(backup, config, { parameters: [kept], keep })).code, 2)
      }
      const pieces = (await piecesIn(kept)).length
      const removeAllButOne = () => runCommand(backup, config, { parameters: [kept], keep: '1' })
      await removeAllButOne()
      assert.equal((await list()).length, 1)
      assert.ok((await piecesIn(kept)).length >= pieces, 'what is young may belong to a continuous backup')
      const hoursAgo = new Date(Date.now() - 2 * 3_600_000)
      for (const piece of await piecesIn(kept)) await utimes(piece, hoursAgo, hoursAgo)
      await removeAllButOne()
      assert.ok((await piecesIn(kept)).length < pieces)
      await withSamePlace(world, async (place) => {
        assert.equal(
          (await runCommand(restore, { ...config, ...place }, { parameters: [kept], unauthenticated: true })).code,
          0,
        )
      })
    }))

  it('takes turns with the removal of what no backup has', (world) =>
    withFolders(async (data, kept) => {
      await live(world)
      const config = await settingsOf(world, data)
      const run = () => runCommand(backup, config, { parameters: [kept], keep: '1' })
      await run()
      const repository = await openRepository(`file:${kept}`, { passphrase: undefined, mayBegin: false })
      const before = await repository.keep(Buffer.from('only in a backup that is being taken'))
      const hoursAgo = new Date(Date.now() - 2 * 3_600_000)
      for (const piece of await piecesIn(kept)) await utimes(piece, hoursAgo, hoursAgo)
      await whileTaking(repository, async () => assert.equal((await run()).code, 0))
      assert.ok(await repository.piece(before))
      let running: Promise<unknown> | undefined
      await unlessTaking(repository, async () => {
        let isTaken = false
        running = run().then(() => {
          isTaken = true
        })
        await sleep(1_000)
        assert.equal(isTaken, false)
      })
      await running
      await assert.rejects(repository.piece(before), /is missing/)
      repository.close()
    }))

  it('keeps a piece again that another process removed meanwhile', () =>
    withFolders(async (_, kept) => {
      const open = () => openRepository(`file:${kept}`, { passphrase: undefined, mayBegin: true })
      const [one, other] = [await open(), await open()]
      const bytes = Buffer.from('a piece')
      for (const repository of [one, one.beside()]) {
        const name = await repository.keep(bytes)
        await other.prune(new Set(), new Date(Date.now() + 60_000))
        repository.forget()
        assert.equal(await repository.keep(bytes), name)
        assert.deepEqual(await repository.piece(name), bytes)
      }
      for (const repository of [one, other]) repository.close()
    }))

  it('goes to a bucket as well', (world) =>
    withFolders(async (data) => {
      await live(world)
      const storage = await openObjectStorage()
      try {
        const config = await settingsOf(world, data)
        const where = storage.url(join(data, 'staging'), 'backups')
        await runCommand(backup, config, { parameters: [where] })
        await withSamePlace(world, async (place) => {
          assert.equal(
            (await runCommand(restore, { ...config, ...place }, { parameters: [where], unauthenticated: true })).code,
            0,
          )
        })
      } finally {
        await storage.close()
      }
    }))
})
