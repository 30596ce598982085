// The corpus of hostile archives (formats.md, section 2) as an upload meets it, and the sound ones that are at a limit.
import assert from 'node:assert/strict'
import { hostileArchives } from '../../test/corpus/hostile-archives.ts'
import { soundArchives } from '../../test/corpus/sound-archives.ts'
import { fileOf } from '../../test/library.ts'
import { onEveryEngine } from '../../test/world.ts'

onEveryEngine('archives from anonymous users', (it) => {
  it('that are hostile are refused, each for its reason, and leave nothing', async ({ admin, db, dependencies }) => {
    for (const { name, bytes, reason } of hostileArchives) {
      const call = admin.library.publish({ kind: 'automation', file: fileOf(bytes, 'a.mpkg'), visibility: 'public' })
      const tooLarge = bytes.length > 20 * 1024 * 1024
      const expected = tooLarge
        ? { status: 413, code: 'too_large' }
        : { status: 400, code: 'invalid_artifact', message: reason }
      await assert.rejects(call, expected, name)
    }
    for await (const { sha256 } of dependencies.blobs.artifacts.list()) assert.fail(sha256)
    assert.deepEqual(await db.selectFrom('libraryItem').selectAll().execute(), [])
  })

  it('that are sound are taken, whatever limit they are at', async ({ admin }) => {
    for (const { name, bytes } of soundArchives) {
      const item = await admin.library.publish({ kind: 'automation', file: fileOf(bytes, 'a.mpkg') })
      assert.equal(item.size, bytes.length, name)
    }
  })
})
