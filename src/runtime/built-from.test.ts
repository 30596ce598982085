// A build is used only where its sources are as they were.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { filesIn, fingerprintOf, hasStamp, isBuiltFrom, RELEASED, writeStamp } from './built-from.ts'

let root: string
let stamp: string
beforeEach(() => {
  root = `${mkdtempSync(join(tmpdir(), 'guildhall-built-'))}/`
  stamp = join(root, 'stamp')
  mkdirSync(join(root, 'src/deeper'), { recursive: true })
  writeFileSync(join(root, 'src/one.ts'), 'one')
  writeFileSync(join(root, 'src/deeper/two.ts'), 'two')
})
afterEach(() => rmSync(root, { recursive: true }))

const list = () => filesIn(root, 'src')
const build = () => writeStamp(stamp, fingerprintOf(root, list()))
const isBuilt = () => isBuiltFrom(stamp, root, list)

test('files of a folder are those of all folders in it', () => {
  assert.deepEqual(list().sort(), ['src/deeper/two.ts', 'src/one.ts'])
})

test('without a stamp nothing is built', () => {
  assert.deepEqual([hasStamp(stamp), isBuilt()], [false, false])
  build()
  assert.deepEqual([hasStamp(stamp), isBuilt()], [true, true])
})

test('a file that was added, removed or changed makes a build old', () => {
  build()
  writeFileSync(join(root, 'src/three.ts'), '')
  assert.equal(isBuilt(), false)
  rmSync(join(root, 'src/three.ts'))
  assert.equal(isBuilt(), true)
  rmSync(join(root, 'src/one.ts'))
  assert.equal(isBuilt(), false)
  writeFileSync(join(root, 'src/one.ts'), 'One')
  assert.equal(isBuilt(), false)
})

test('a change of the same size is seen where the old time is put back', () => {
  build()
  const path = join(root, 'src/one.ts')
  const { atime, mtime } = statSync(path)
  writeFileSync(path, 'eno')
  utimesSync(path, atime, mtime)
  assert.equal(isBuilt(), false)
})

test('files that were written again as they were are the same, and their new times are noted', () => {
  build()
  const before = readFileSync(stamp, 'utf8').split('\n')
  writeFileSync(join(root, 'src/one.ts'), 'one')
  assert.equal(isBuilt(), true)
  const after = readFileSync(stamp, 'utf8').split('\n')
  assert.equal(after[0], before[0])
  assert.notEqual(after[1], before[1])
})

test('a release is what it is, whatever lies beside it', () => {
  writeFileSync(stamp, RELEASED)
  rmSync(join(root, 'src'), { recursive: true })
  assert.equal(isBuilt(), true)
})
