// What is sealed can be opened for years: values as earlier releases stored them.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { seal, sealBytes, unseal, unsealBytes } from './seal.ts'

const key = Buffer.from(Array.from({ length: 32 }, (_, at) => at))
const STORED = 'JFu-3OEHaFNg0zZu_FQmki8RwCwXzrwlSLm1EVqNlPBEl0npYJpmuV4LLA'
const PIECE = Buffer.from('0102030405060708090a0b0c75833fb68972800bb68be897963c8b9605515d315a', 'hex')

describe('what is sealed', () => {
  it('is opened as it was stored, text and named bytes', () => {
    assert.equal(unseal(key, STORED), 'Grüße, stored')
    assert.equal(unsealBytes(key, PIECE, 'states/1').toString(), 'piece')
  })

  it('is opened again, and is never the same twice', () => {
    for (const text of ['', 'a', 'ä€😀'.repeat(10_000)]) assert.equal(unseal(key, seal(key, text)), text)
    const bytes = Buffer.from([0, 255, 128])
    assert.deepEqual(unsealBytes(key, sealBytes(key, bytes, 'a name'), 'a name'), bytes)
    assert.notEqual(seal(key, 'a'), seal(key, 'a'))
  })

  it('is not opened under another key or name, nor when a bit of it was changed', () => {
    assert.throws(() => unseal(Buffer.alloc(32), STORED))
    for (const name of [undefined, '', 'states/2']) assert.throws(() => unsealBytes(key, PIECE, name))
    for (const at of PIECE.keys()) {
      const changed = Buffer.from(PIECE)
      changed[at]! ^= 1
      assert.throws(() => unsealBytes(key, changed, 'states/1'), String(at))
    }
  })

  it('is not opened when it is cut: no shorter tag counts', () => {
    const sealed = sealBytes(key, Buffer.alloc(0))
    assert.equal(sealed.length, 28)
    for (let length = 0; length < sealed.length; length++) {
      assert.throws(() => unsealBytes(key, sealed.subarray(0, length)), String(length))
    }
    assert.equal(unsealBytes(key, sealed).length, 0)
  })
})
