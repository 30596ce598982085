// Paths of tiles, and what a tile of the log has.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { bundleBytes, edgeOf, hasTile, pathOf, readTilePath } from './tiles.ts'

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

  it('has entries with their lengths', () => {
    assert.equal(bundleBytes(['a', 'ö']).toString('hex'), '0001610002c3b6')
  })
})
