// Paths of tiles, and what a tile of the log has.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  appended,
  bundleBytes,
  edgeOf,
  emptyTile,
  entriesOf,
  extended,
  hasTile,
  joinedHash,
  pathOf,
  placeOf,
  readTilePath,
  rootWithin,
  subtreesOf,
  TILE_WIDTH,
  tileBytes,
  widthOf,
} from '../src/log.ts'
import { leafHash, toHex, utf8 } from '../src/main.ts'

describe('a tile', () => {
  it('has one path', () => {
    assert.deepEqual([0, 999, 1_000, 1_234_067].map(pathOf), ['000', '999', 'x001/000', 'x001/x234/067'])
    assert.deepEqual(readTilePath('0/x001/x234/067'), { level: 0, number: 1_234_067, width: 256 })
    assert.deepEqual(readTilePath('63/000.p/255'), { level: 63, number: 0, width: 255 })
    assert.deepEqual(readTilePath('entries/001.p/1'), { level: 'entries', number: 1, width: 1 })
  })

  for (const path of [
    ...['', '0', '0/', '0/0', '0/0000', '00/000', '64/000', '-1/000', '0/x000/001', '0/001/002', '0/x001', '0/000.p'],
    ...['0/000.p/0', '0/000.p/256', '0/000.p/01', '0/000.p/1/', 'entry/000', '0/x999/x999/x999/x999/x999/x999/999'],
  ]) {
    it(`is not at ${path || 'nothing'}`, () => assert.equal(readTilePath(path), undefined))
  }

  it('is there when the tree is large enough', () => {
    const has = (size: number, path: string) => hasTile(size, readTilePath(path)!)
    assert.deepEqual([has(70_000, '0/272'), has(70_000, '0/273'), has(70_000, '0/273.p/112')], [true, false, true])
    assert.deepEqual([has(70_000, '0/273.p/113'), has(70_000, '1/000'), has(70_000, '1/001.p/17')], [false, true, true])
    assert.deepEqual(
      [has(70_000, '1/001.p/18'), has(70_000, '2/000.p/1'), has(70_000, '2/000.p/2')],
      [false, true, false],
    )
    assert.deepEqual([has(256, '0/000'), has(256, '1/000.p/1'), has(255, '0/000')], [true, true, false])
    assert.deepEqual([has(255, 'entries/000.p/255'), has(255, 'entries/000')], [true, false])
  })

  it('is at the right edge when it is not full', () => {
    assert.deepEqual(edgeOf(70_000), [
      { level: 0, number: 273 },
      { level: 1, number: 1 },
      { level: 2, number: 0 },
    ])
    assert.deepEqual([edgeOf(0), edgeOf(256)], [[], [{ level: 1, number: 0 }]])
  })

  it('gives the root of each span that begins with it, by any steps of growth', () => {
    const leaves = Array.from({ length: TILE_WIDTH }, (_, index) => leafHash(utf8(`${index}`)))
    let tile = emptyTile({ level: 0, number: 0 })
    for (const next of [1, 2, 15, 16, 17, 100, 255, 256]) {
      tile = extended(tile, leaves.slice(widthOf(tile), next))
      assert.equal(widthOf(tile), next)
      const roots = subtreesOf({ from: 0, to: next }).map((subtree) => {
        const { level, number, from, count } = placeOf(subtree)
        // A subtree of a whole tile is a hash of the level above.
        assert.equal(number, 0)
        return level === 1 ? rootWithin(tile, 0, TILE_WIDTH) : rootWithin(tile, from, count)
      })
      const expected = leaves
        .slice(0, next)
        .reduce<Uint8Array[]>((trees, leaf, index) => appended(trees, { leaf, index }), [])
      assert.equal(toHex(joinedHash(roots)), toHex(joinedHash(expected)), `${next} leaves`)
    }
    assert.equal(toHex(tileBytes(tile, 2)), toHex(leaves[0]!) + toHex(leaves[1]!))
  })
})

describe('a bundle', () => {
  it('has entries with their lengths', () => {
    assert.equal(toHex(bundleBytes(['a', 'ö'])), '0001610002c3b6')
  })

  it('is read as the entries that it was made of', () => {
    const texts = ['', 'a', 'ö'.repeat(200), 'x'.repeat(65_535)]
    const entries = entriesOf(bundleBytes(texts))
    assert.deepEqual(
      entries?.map((entry) => new TextDecoder().decode(entry)),
      texts,
    )
    assert.deepEqual(entriesOf(new Uint8Array()), [])
  })

  it('is none where it is cut off', () => {
    const bytes = bundleBytes(['abc', 'd'])
    for (const length of [1, 2, 4, 6, 7])
      assert.equal(entriesOf(bytes.subarray(0, length)), undefined, `${length} bytes`)
    assert.equal(entriesOf(bytes.subarray(0, 5))?.length, 1)
  })
})
