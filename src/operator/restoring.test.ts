// Where a backup is restored to, and where it is not.
import assert from 'node:assert/strict'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { settingsOf, withFolders } from '../../test/backups.ts'
import { live } from '../../test/living.ts'
import { complaintsAbout, runCommand, withSamePlace, withWorldOn } from '../../test/operator.ts'
import { onEveryEngine } from '../../test/world.ts'
import type { Config } from '../config/config.ts'
import { openDatabase } from '../database/open.ts'
import { isPostgres } from '../runtime/addresses.ts'
import { backups, backupWith, restore } from './backup.ts'
import { openWritableRows } from './opening-rows.ts'

const backup = backupWith(() => import('./shipping.ts'))

onEveryEngine('a backup and its place', (it) => {
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
})
