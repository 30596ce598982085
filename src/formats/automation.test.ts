// Reading automations: valid, invalid and hostile archives.
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import fc from 'fast-check'
import { automation, checksumsOf, manifest, manifestEntry, noise } from '../../test/corpus/archive-parts.ts'
import { hostileArchives } from '../../test/corpus/hostile-archives.ts'
import { soundArchives } from '../../test/corpus/sound-archives.ts'
import { zip } from '../../test/corpus/zip-writer.ts'
import example from '../../test/fixtures/automation.json' with { type: 'json' }
import { readAutomation } from './automation.ts'
import { FormatError } from './format-error.ts'

const folder = await mkdtemp(join(tmpdir(), 'automation-'))
after(() => rm(folder, { recursive: true }))

async function read(bytes: Buffer) {
  const path = join(folder, 'automation.mpkg')
  await writeFile(path, bytes)
  return readAutomation(path)
}

describe('an automation', () => {
  it('derives meta, name, version and file name from its manifest', async () => {
    const { files, ...automation } = await read(zip([manifestEntry(example)]))
    assert.deepEqual(
      files.map((file) => file.path),
      ['automation.json'],
    )
    assert.deepEqual(automation, {
      manifest: example,
      meta: {
        automation_id: 'harbor-board',
        publisher: 'Quay Labs',
        site_domains: ['berths.example'],
        actions: ['list_berths'],
        requires_native: false,
        policy_tier: 'standard',
        native: null,
        engine: '>=0.70.0',
      },
      slug: 'harbor-board',
      name: 'Harbor Board',
      description: 'Reads the berth list',
      version: '0.2.0',
      filename: 'harbor-board-0.2.0.mpkg',
      readme: null,
      permissions: { steps: ['navigate', 'extract'], scripts: [], downloads: false, domains: ['berths.example'] },
      changelog: null,
      names: [],
      license: null,
    })
  })

  it('may leave out all that is optional, or fill it with something else', async () => {
    const bare = { ...manifest, actions: [] }
    const odd = {
      publisher: 'me',
      requires: [1],
      policy: { tier: 3 },
      engine: {},
      site: 'x',
      permissions: null,
      description: 4,
    }
    for (const changes of [bare, { ...bare, ...odd }]) {
      const { meta, description, permissions } = await read(zip([manifestEntry(changes)]))
      assert.deepEqual(meta, {
        automation_id: 'harbor-board',
        publisher: null,
        site_domains: [],
        actions: [],
        requires_native: false,
        policy_tier: 'standard',
        native: null,
        engine: null,
      })
      assert.equal(description, '')
      assert.deepEqual(permissions, { steps: [], scripts: [], downloads: false, domains: [] })
    }
  })

  it('names the native program it requires', async () => {
    const { meta } = await read(zip([manifestEntry({ requires: { native: 'crane' }, policy: { tier: 'elevated' } })]))
    assert.deepEqual([meta.requires_native, meta.native, meta.policy_tier], [true, 'crane', 'elevated'])
  })

  it('lists its files with their sizes, and keeps at most a mebibyte of README', async () => {
    const readme = `# Harbor\0\n${noise(100_000).toString('hex')}${'é'.repeat(500_000)}`
    const icon = { name: 'icon.png', data: noise(70_000) }
    const { files, readme: kept } = await read(
      automation([{ name: 'scripts/' }, { name: 'README.md', data: readme }, icon]),
    )
    assert.deepEqual(files.slice(1), [
      { path: 'README.md', size: Buffer.byteLength(readme) },
      { path: 'icon.png', size: 70_000 },
    ])
    assert.ok(kept)
    assert.ok(kept.startsWith('# Harbor\ufffd\n') && kept.endsWith('é'))
    assert.ok(Buffer.byteLength(kept) <= 1024 * 1024 + 2)
  })

  it('is refused with the name of what is wrong and what was expected', async () => {
    await assert.rejects(read(zip([manifestEntry({ actions: [1] })])), (error: FormatError) => {
      assert.deepEqual([error.field, error.message], ['actions.0', 'actions.0: expected a string'])
      return true
    })
  })

  it('leaves a missing file to the caller, as an error of the disk', async () => {
    await assert.rejects(readAutomation(join(folder, 'missing.mpkg')), { code: 'ENOENT' })
  })
})

describe('a sound archive is accepted:', () => {
  for (const archive of soundArchives) {
    it(archive.name, async () => {
      assert.equal((await read(archive.bytes)).slug, 'harbor-board')
    })
  }
})

describe('a hostile archive is refused:', () => {
  for (const archive of hostileArchives) {
    it(archive.name, async () => {
      await assert.rejects(read(archive.bytes), (error: Error) => {
        assert.ok(error instanceof FormatError, String(error))
        assert.match(error.message, archive.reason)
        return true
      })
    })
  }
})

describe('a damaged archive', () => {
  const entries = [manifestEntry(), { name: 'scripts/list.js', data: noise(60) }, { name: 'README.md', data: '# Hi' }]
  const sound = zip([...entries, checksumsOf(entries)])

  /** What comes of it: the same automation, or a refusal; anything else fails the property. */
  async function survives(bytes: Buffer): Promise<void> {
    try {
      assert.deepEqual((await read(bytes)).manifest, manifest)
    } catch (error) {
      assert.ok(error instanceof FormatError, String(error))
    }
  }

  it('is refused wherever it breaks off', async () => {
    for (let length = 0; length < sound.length; length += 1) {
      await assert.rejects(read(sound.subarray(0, length)), FormatError)
    }
  })

  it('is refused, or reads the same, with any one bit flipped', async () => {
    const flips = fc.tuple(fc.nat(sound.length - 1), fc.nat(7))
    await fc.assert(
      fc.asyncProperty(flips, async ([at, bit]) => {
        const bytes = Buffer.from(sound)
        bytes[at]! ^= 1 << bit
        await survives(bytes)
      }),
      { numRuns: 600 },
    )
  })

  it('is refused, or reads the same, with bytes replaced, removed or put in', async () => {
    const edit = fc.tuple(fc.nat(sound.length), fc.nat(8), fc.uint8Array({ maxLength: 8 }))
    await fc.assert(
      fc.asyncProperty(edit, async ([at, removed, added]) => {
        await survives(Buffer.concat([sound.subarray(0, at), added, sound.subarray(at + removed)]))
      }),
      { numRuns: 300 },
    )
  })
})
