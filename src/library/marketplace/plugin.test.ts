// What a plugin may be called, and how much fits.
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { it } from 'node:test'
import { zipSync } from 'fflate'
import { withFolder } from '../../../test/server.ts'
import { skillText } from '../../../test/skills.ts'
import { isPlainPath } from '../../formats/git/safe-path.ts'
import {
  kebabName,
  MAX_BYTES,
  MAX_FILES,
  MAX_ITEM_BYTES,
  MAX_ITEM_FILES,
  marketplaceName,
  Room,
  shortened,
} from './bounds.ts'
import { makePlugin } from './plugin.ts'

const facts = {
  ...{ name: 'skill-pdf-tools', title: 'PDF tools', version: '1.0.0', description: 'Splits', author: 'alice' },
  ...{ homepage: 'https://guildhall.example/library/skills/pdf-tools', license: null },
}

it('different items have different names, of letters, digits and single hyphens', () => {
  assert.equal(kebabName('skill-pdf-tools'), 'skill-pdf-tools')
  const texts = [
    'a-b',
    'a.b',
    'a_b',
    'a--b',
    'a-.b',
    '.a-b',
    'a-b-',
    'a-b.',
    'A-b',
    'x'.repeat(64),
    'x'.repeat(65),
    `${'x'.repeat(65)}y`,
  ]
  const long = ['.', '_', '-'].map((mark) => `${'y'.repeat(60)}${mark}z`)
  // What looks like a name that was made for another text gets one of its own.
  const all = [...texts, ...long]
  const names = [...all, ...all.map(kebabName).filter((name) => !all.includes(name))].map(kebabName)
  assert.equal(new Set(names).size, names.length)
  for (const name of names) assert.match(name, /^(?=.{1,64}$)[a-z0-9]+(?:-[a-z0-9]+)*$/)
  assert.equal(kebabName('x'.repeat(64)).length, 64)
  for (const url of [
    'https://guildhall.example',
    'http://127.0.0.1:3000',
    'http://[::1]:3000',
    `https://${'a'.repeat(60)}.example`,
  ])
    assert.match(marketplaceName(url), /^guildhall-(?=.{1,54}$)[a-z0-9]+(?:-[a-z0-9]+)*$/, url)
})

it('descriptions have 1,024 units at most', () => {
  assert.deepEqual([shortened('x'.repeat(1024)).length, shortened('x'.repeat(1025)).length], [1024, 1024])
  assert.ok(shortened(`${'x'.repeat(1022)}😀y`).isWellFormed())
})

it('there is room for 5,000 files and 20 MiB', () => {
  const take = (...all: [files: number, bytes: number][]) => {
    const room = new Room()
    return all.map(([files, bytes]) => room.take({ files, bytes }))
  }
  assert.deepEqual(take([MAX_FILES, MAX_BYTES], [1, 0], [0, 1]), [true, false, false])
  assert.deepEqual(take([MAX_FILES + 1, 1], [1, MAX_BYTES + 1], [MAX_FILES, MAX_BYTES]), [false, false, true])
})

it('a skill has 500 files and 4 MiB at most, and nothing that git acts on', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'skill.zip')
    const made = async (files: Record<string, Uint8Array>) => {
      await writeFile(path, zipSync({ 'SKILL.md': Buffer.from(skillText()), ...files }, { level: 0 }))
      return makePlugin({ kind: 'skill', path, facts })
    }
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, Buffer.of(1)]))
    const large = (bytes: number) => ({ a: Buffer.alloc(bytes - Buffer.byteLength(skillText()), 'x') })
    const most = await made(many(MAX_ITEM_FILES - 1))
    assert.equal('files' in most && most.files, MAX_ITEM_FILES)
    assert.deepEqual(await made(many(MAX_ITEM_FILES)), { left: 'has more than 500 files' })
    const largest = await made(large(MAX_ITEM_BYTES))
    assert.equal('bytes' in largest && largest.bytes, MAX_ITEM_BYTES)
    assert.deepEqual(await made(large(MAX_ITEM_BYTES + 1)), { left: 'has more than 4 MiB' })
    assert.deepEqual(await made({ 'a/.GIT/config': Buffer.of(1) }), { left: 'has a file that git acts on' })
  }))

it('paths that git acts on are known in every form', () => {
  const bad = [
    '.git',
    '.git/config',
    'a/.Git',
    '.gitmodules',
    'x/.GITATTRIBUTES',
    '.g\u200cit',
    '.git.',
    '.git ',
    '..',
    'a/../b',
    '/a',
    'a//b',
    '.ｇit',
    '',
  ]
  for (const path of bad) assert.equal(isPlainPath(path), false, path)
  for (const path of ['.gitignore', '.github/x', 'git', 'a.git', '.gitkeep', '...', 'a/.b'])
    assert.equal(isPlainPath(path), true, path)
})
