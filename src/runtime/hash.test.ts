// Hashes with a key and derived secrets are stored and compared for years: values as earlier releases made them.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { derivedSecret, keyedHash, mac, sameHash } from './hash.ts'

const key = Buffer.from(Array.from({ length: 32 }, (_, at) => at))

describe('a hash with a key', () => {
  it('is as it was stored, of a code with its purpose and of a token', () => {
    assert.equal(keyedHash(key, '123456', 'log in', 'anna@example.com'), '8BV-U0ZJiDip_pmfgT2w6BVo9q73q2T3dENONhi32TI')
    assert.equal(keyedHash(key, 'token'), 'eZ7zWs8h2mEJlTchusjmP87xRc99l5FazydzSccoKpw')
  })

  it('is as it is in backups: of parts one after the other, and with a key that is text', () => {
    const list = '88cd4e3c6e6a50aa2016a1fa46fc33971e39132192a89bc72ab297a374986c8b'
    assert.equal(mac(key, 'pieces/1\n', Buffer.from('list')).toString('hex'), list)
    const signing = 'b91cf66302575c751755523acfd333912ba0ae8c6e4d24ce38471091d3a66a66'
    assert.equal(mac('guildhall-backup-lists', 'a key').toString('hex'), signing)
  })

  it('is another for another key, value or purpose', () => {
    const hashes = [
      keyedHash(key, '123456'),
      keyedHash(key, '123457'),
      keyedHash(key, '123456', 'log in'),
      keyedHash(Buffer.alloc(32), '123456'),
    ]
    assert.equal(new Set(hashes).size, hashes.length)
  })
})

describe('a derived secret', () => {
  it('is the one under which values are stored', () => {
    const codes = derivedSecret(key, 'guildhall codes').toString('base64url')
    assert.equal(codes, 'hBfDilYVlpJfWDPldUrDcJVB1CyqqFF3Q28KEdoUHF4')
  })

  it('is the nonce that the library of the token endpoint derives, with a salt', () => {
    const salt = Buffer.alloc(8)
    salt.writeBigUInt64BE(29_000_000n)
    assert.equal(derivedSecret(key, 'DPoP', salt).toString('base64url'), 'kH1kAi_D4Qv_V2aWzzbNtgts-p2sCupYgHqwKEsREGo')
  })
})

it('Hashes are the same when all their bytes are, as text and as bytes', () => {
  assert.equal(sameHash('abc', 'abc'), true)
  assert.equal(sameHash(Buffer.from('abc'), 'abc'), true)
  for (const other of ['abd', 'ab', 'abcd', '']) assert.equal(sameHash('abc', other), false, other)
})
