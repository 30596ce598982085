// What a continuous backup ships and when, with a target and files that fail: rows go after every file that they name, and nothing that was
// read is dropped. continuous.test.ts has it beside real servers.
import assert from 'node:assert/strict'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { begin, filesIn, namesIn, partsOf, publish, shipping, until } from '../../test/continuous.ts'
import { namesFile } from '../database/stored.ts'
import type { Repository } from './repository.ts'

describe('what a continuous backup ships', () => {
  it('has every file that its rows name, though the files of the server go before its database', async (t) => {
    const begun = await begin(t)
    const { data, repository, restored } = begun
    const { backedUp, end } = await shipping(begun)
    await backedUp
    await publish(begun, 'Kept')
    await until(async () => (await filesIn(repository)) > 0)
    const artifacts = join(data, 'blobs', 'artifacts')
    await rename(artifacts, `${artifacts}-aside`)
    await mkdir(artifacts)
    // As a server that is killed: its row is in the log, and the file that it names is gone.
    const { db } = begun
    const { sha256, itemId } = await db.selectFrom('itemVersion').select(['sha256', 'itemId']).executeTakeFirstOrThrow()
    await db
      .updateTable('itemVersion')
      .set({ sha256: sha256.replace(/./g, 'a') })
      .where('itemId', '=', itemId)
      .execute()
    const before = (await partsOf(repository)).length
    await sleep(1_200)
    assert.equal((await partsOf(repository)).length, before)
    await rm(data, { recursive: true })
    assert.match((await end)?.message ?? '', /is gone: the backup has what it had but for the last changes/)
    const { code, place } = await restored()
    assert.equal(code, 0)
    assert.deepEqual(await namesIn(place), ['Kept'])
  })

  it('waits for a file, and ships its row after it', async (t) => {
    const begun = await begin(t)
    const { data, repository, restored } = begun
    const { backedUp, stop } = await shipping(begun)
    await backedUp
    const artifacts = join(data, 'blobs', 'artifacts')
    const put = begun.dependencies.blobs.artifacts.commit
    let late: () => Promise<void> = async () => {}
    t.mock.method(begun.dependencies.blobs.artifacts, 'commit', async (...given: Parameters<typeof put>) => {
      await put(...given)
      const path = join(artifacts, given[0].sha256.slice(0, 2), given[0].sha256)
      await rename(path, join(data, 'late'))
      late = () => rename(join(data, 'late'), path)
    })
    await publish(begun, 'Late')
    const before = (await partsOf(repository)).length
    await sleep(1_200)
    assert.equal((await partsOf(repository)).length, before)
    await late()
    assert.equal(await stop(), undefined)
    const { place } = await restored()
    assert.deepEqual(await namesIn(place), ['Late'])
  })

  it('drops nothing of a pass that its target did not take', async (t) => {
    const begun = await begin(t)
    let isAway = false
    const failing = (repository: Repository): Repository => ({
      ...repository,
      beside: () => failing(repository.beside()),
      keep: (bytes) => (isAway ? Promise.reject(new Error('away')) : repository.keep(bytes)),
      // It takes the bytes, and says that it did not.
      put: async (key, bytes) => {
        await repository.put(key, bytes)
        if (isAway) throw new Error('away')
      },
    })
    const { backedUp, stop, complaints } = await shipping({ ...begun, repository: failing(begun.repository) })
    await backedUp
    await publish(begun, 'One')
    isAway = true
    await publish(begun, 'Two')
    await until(() => complaints.length > 0)
    await publish(begun, 'Three')
    await sleep(600)
    isAway = false
    assert.equal(await stop(), undefined)
    const { place } = await begun.restored()
    assert.deepEqual(await namesIn(place), ['One', 'Three', 'Two'])
    assert.deepEqual(complaints, ['The last changes are not in the backup, and are tried again: away'])
  })

  it('is noted for each kind of stored file: triggers of SQLite tell which files rows came to name', async (t) => {
    const { db } = await begin(t)
    const tables = (await db.introspection.getTables()).map(({ name }) => name)
    const triggers = await db
      .selectFrom('sqlite_schema' as never)
      .select('name' as never)
      .where('type' as never, '=', 'trigger' as never)
      .execute()
    const names = triggers.map(({ name }) => String(name))
    const naming = Object.values(namesFile).flatMap((sql) =>
      [...sql.matchAll(/from "(\w+)"/g)].map(([, table]) => table!),
    )
    assert.ok(naming.length >= 8 && naming.every((table) => tables.includes(table)))
    for (const event of ['insert', 'update']) {
      const missing = naming.filter((table) => !names.includes(`namedFile_${table}_${event}`))
      assert.deepEqual(missing, [])
    }
  })
})
