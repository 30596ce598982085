// What a restore believes: who may read and write a backup, and whether it is whole.
import assert from 'node:assert/strict'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { filesBelow, piecesIn, settingsOf, withFolders } from '../../test/backups.ts'
import { live } from '../../test/living.ts'
import { complaintsAbout, runCommand, withSamePlace, withWorldOn } from '../../test/operator.ts'
import { onEveryEngine } from '../../test/world.ts'
import type { Config } from '../config/config.ts'
import { isPostgres } from '../runtime/addresses.ts'
import { backups, backupWith, restore } from './backup.ts'
import { openRepository } from './repository.ts'
import type { Snapshot } from './snapshot.ts'

const backup = backupWith(() => import('./shipping.ts'))

onEveryEngine('a backup that others can reach', (it) => {
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
})
