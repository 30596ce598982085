// Backups and what is restored from them: on either engine to either, in a folder or a bucket, encrypted or not.
import assert from 'node:assert/strict'
import { readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { live } from '../../test/living.ts'
import { openObjectStorage } from '../../test/object-storage.ts'
import { complaintsAbout, runCommand, withOtherPlace, withSamePlace, withWorldOn } from '../../test/operator.ts'
import { withFolder } from '../../test/server.ts'
import { onEveryEngine, type World } from '../../test/world.ts'
import type { Config } from '../config/config.ts'
import { isPostgres } from '../database/address.ts'
import { openDatabase } from '../database/open.ts'
import { backup, backups, restore } from './backup.ts'
import { openWritableRows } from './opening-rows.ts'
import { openRepository } from './repository.ts'
import type { Snapshot } from './snapshot.ts'
import { unlessTaking, whileTaking } from './taking-turns.ts'

/** The settings of the world; its data folder has a signing key of its own. */
async function settingsOf({ dependencies: { config } }: World, dataDir: string): Promise<Config> {
  await writeFile(join(dataDir, 'signing-key.json'), '{"kid":"of the test"}')
  return { ...config, dataDir, signingKey: undefined }
}

/** Every file below a folder. */
async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
}

const piecesIn = async (folder: string) => (await filesBelow(folder)).filter((path) => path.includes('pieces'))

/** Two folders: one for the data, one for the backups. */
const withFolders = (work: (data: string, kept: string) => Promise<void>) =>
  withFolder((data) => withFolder((kept) => work(data, join(kept, 'backups'))))

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

  it('is encrypted with a passphrase: nothing is readable, and only that passphrase opens it', (world) =>
    withFolders(async (data, kept) => {
      await live(world)
      const config = { ...(await settingsOf(world, data)), backupPassphrase: 'a long enough passphrase' }
      await runCommand(backup, config, { parameters: [kept] })
      for (const path of await filesBelow(kept)) {
        const bytes = await readFile(path)
        for (const known of ['Broken lamp', 'alice', 'of the test', '(\u00b5/\u00fd'])
          assert.equal(bytes.includes(Buffer.from(known, 'latin1')), false, `${known} in ${path}`)
      }
      const open = (backupPassphrase: string | undefined) =>
        runCommand(backups, { ...config, backupPassphrase }, { parameters: [kept] })
      assert.equal((await open('a long enough passphrase')).code, 0)
      await assert.rejects(open('another long passphrase'), /BACKUP_PASSPHRASE is not the one/)
      await assert.rejects(open(undefined), /are encrypted: set BACKUP_PASSPHRASE/)
      await withSamePlace(world, async (place) => {
        assert.equal(
          (await runCommand(restore, { ...config, ...place }, { parameters: [kept], unauthenticated: true })).code,
          0,
        )
      })
    }))

  it('is refused when a piece of it is damaged or missing, and leaves no database behind', (world) =>
    withFolders(async (data, kept) => {
      await live(world)
      const config = await settingsOf(world, data)
      await runCommand(backup, config, { parameters: [kept] })
      const largest = (
        await Promise.all((await piecesIn(kept)).map(async (path) => ({ path, bytes: await readFile(path) })))
      )
        .sort((one, other) => other.bytes.length - one.bytes.length)
        .at(0)!
      const damages = [() => writeFile(largest.path, largest.bytes.fill(7, 200, 300)), () => rm(largest.path)]
      for (const damage of damages) {
        await damage()
        await withSamePlace(world, async (place) => {
          const restoring = runCommand(restore, { ...config, ...place }, { parameters: [kept], unauthenticated: true })
          await assert.rejects(restoring, /the backup is (damaged|not complete)/)
          if (!isPostgres(place.databaseUrl)) await assert.rejects(readFile(place.databaseUrl), { code: 'ENOENT' })
        })
      }
    }))

  it('is not restored over anything, and a place that holds something else is refused', (world) =>
    withFolders(async (data, kept) => {
      await live(world)
      const config = await settingsOf(world, data)
      await runCommand(backup, config, { parameters: [kept] })
      const over = (place: Partial<Config>) =>
        runCommand(restore, { ...config, ...place }, { parameters: [kept], unauthenticated: true })
      await assert.rejects(over({}), /restore into an empty place/)
      await withSamePlace(world, async (place) => {
        await assert.rejects(
          over({ ...place, dataDir: config.dataDir }),
          /has a signing key: restore into an empty place/,
        )
        await assert.rejects(over({ ...place, blobUrl: config.blobUrl }), /stored files are not empty/)
        assert.equal(
          (await runCommand(restore, config, { parameters: [kept], unauthenticated: true, at: 'yesterday' })).code,
          2,
        )
      })
      await rm(join(kept, 'objects', 'repository='))
      await assert.rejects(runCommand(backups, config, { parameters: [kept] }), /what is there is not a backup/)
    }))

  it('is not looked for where there is none, and nothing is made there', (world) =>
    withFolders(async (data, kept) => {
      const config = await settingsOf(world, data)
      const mistyped = { parameters: [join(data, 'bakcups')] }
      for (const command of [backups, restore]) {
        await assert.rejects(runCommand(command, config, mistyped), /there is no backup at .*bakcups/)
        for (const where of ['s3:/bucket', 'S3://bucket', 'https://example.com/backups'])
          assert.equal((await runCommand(command, config, { parameters: [where] })).code, 2, where)
      }
      assert.equal((await runCommand(backup, config, { parameters: ['s3:/bucket'] })).code, 2)
      const nowhere = { ...config, databaseUrl: join(data, 'guildhall.db') }
      await assert.rejects(runCommand(backup, nowhere, { parameters: [kept] }), /there is no database at .*DATA_DIR/)
      assert.deepEqual(await readdir(data), ['signing-key.json'])
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

  it('that anybody may have written is restored only when that is wanted, and a signed one by its key alone', (world) =>
    withFolders(async (data, kept) => {
      await live(world)
      const plain = await settingsOf(world, data)
      const signed = { ...plain, backupKey: 'a key of thirty-two characters..' }
      await runCommand(backup, plain, { parameters: [join(kept, 'plain')] })
      await runCommand(backup, signed, { parameters: [join(kept, 'signed')] })
      await withSamePlace(world, async (place) => {
        const from = (config: Partial<Config>, name: string, unauthenticated = false) =>
          runCommand(restore, { ...config, ...place }, { parameters: [join(kept, name)], unauthenticated })
        const { code, complaints } = await from(plain, 'plain')
        assert.equal(code, 1)
        assert.match(complaints.join(), /neither encrypted .* nor signed .*--unauthenticated/)
        await assert.rejects(from(signed, 'plain', true), /are not signed: unset BACKUP_KEY/)
        await assert.rejects(from(plain, 'signed'), /are signed: set BACKUP_KEY/)
        await assert.rejects(from({ ...plain, backupKey: `another ${signed.backupKey}` }, 'signed'), /is not the one/)
        await assert.rejects(runCommand(backup, signed, { parameters: [join(kept, 'plain')] }), /are not signed/)
        await assert.rejects(runCommand(backup, plain, { parameters: [join(kept, 'signed')] }), /are signed/)

        const [list = ''] = (await filesBelow(join(kept, 'signed'))).filter((path) => path.includes('snapshots'))
        const whole = await readFile(list)
        await writeFile(list, Buffer.from(whole.map((byte, at) => (at === whole.length - 9 ? byte ^ 1 : byte))))
        await assert.rejects(from(signed, 'signed'), /is not signed by BACKUP_KEY/)
        // What another list of the same place was signed as.
        await writeFile(list, whole)
        const other = list.replace(/[^/]+$/, '20991231t000000.000z=')
        await writeFile(other, whole)
        await assert.rejects(from(signed, 'signed'), /20991231t000000.000z is not signed by BACKUP_KEY/)
        await rm(other)
        assert.equal((await from(signed, 'signed')).code, 0)
        await withWorldOn(place, async (restored) => assert.deepEqual(await complaintsAbout(restored), []))
      })
    }))

  it('writes nothing outside of its places, whatever its lists name', (world) =>
    withFolders(async (data, kept) => {
      await live(world)
      const config = await settingsOf(world, data)
      await runCommand(backup, config, { parameters: [kept] })
      const repository = await openRepository(`file:${kept}`, { passphrase: undefined, mayBegin: false })
      const [name = ''] = await repository.list('snapshots')
      const snapshot = JSON.parse(String(await repository.get(name))) as Snapshot
      const [key] = snapshot.files
      const wrong: object[] = [
        { files: [{ ...key, name: '../escaped/authorized_keys' }] },
        { files: [{ ...key, name: 'guildhall.db' }] },
        { artifacts: [{ ...snapshot.artifacts[0], sha256: '../../escaped' }] },
        { objects: [{ ...snapshot.objects[0], key: '../escaped', contentType: 'a/b', size: 1, modified: '' }] },
        { database: { size: 1, pieces: ['../../../etc/passwd'] } },
        { stream: { name: '../pieces', from: 0, needed: 0 } },
      ]
      await withSamePlace(world, async (place) => {
        for (const changes of wrong) {
          await repository.put(name, Buffer.from(JSON.stringify({ ...snapshot, ...changes })))
          const restoring = runCommand(restore, { ...config, ...place }, { parameters: [kept], unauthenticated: true })
          await assert.rejects(restoring, /names what no backup contains/, JSON.stringify(changes))
        }
        const found = (await filesBelow(place.dataDir)).filter((path) => !path.includes('/blobs/staging'))
        assert.deepEqual(found, [])
      })
      repository.close()
    }))

  it('is restored again after an interruption', (world) =>
    withFolders(async (data, kept) => {
      await live(world)
      const config = await settingsOf(world, data)
      await runCommand(backup, config, { parameters: [kept] })
      await withSamePlace(world, async (place) => {
        if (isPostgres(place.databaseUrl)) {
          await openDatabase(place.databaseUrl).then(({ db }) => db.destroy())
          const to = await openWritableRows(place.databaseUrl)
          await to.close()
        } else await writeFile(`${place.databaseUrl}.restoring-1`, 'a part of it')
        assert.equal(
          (await runCommand(restore, { ...config, ...place }, { parameters: [kept], unauthenticated: true })).code,
          0,
        )
        await withWorldOn(place, async (restored) => assert.deepEqual(await complaintsAbout(restored), []))
      })
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
