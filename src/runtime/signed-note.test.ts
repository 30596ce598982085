// Notes against the example of their authors, and what is no note.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  cosign,
  isSignedBy,
  parseNote,
  parseVkey,
  parseWitnessKeys,
  signerOf,
  signNote,
  vkeyOf,
  witnessOf,
} from './signed-note.ts'

/** The example of golang.org/x/mod/sumdb/note, which c2sp.org/signed-note describes. */
const VKEY = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW'
const SECRET = 'AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz'
const TEXT = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n"
const NOTE = `${TEXT}\n— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n`

const signer = signerOf('PeterNeumann', Buffer.from(SECRET, 'base64').subarray(1))
const key = parseVkey(VKEY, 1)!

describe('a signed note', () => {
  it('is that of the example', () => {
    assert.equal(vkeyOf(signer), VKEY)
    assert.equal(signNote(TEXT, signer), NOTE)
  })

  it('is read as its text and its signatures, which are verified', () => {
    const { text, signatures } = parseNote(NOTE)!
    assert.equal(text, TEXT)
    assert.deepEqual([signatures.length, isSignedBy(text, signatures[0]!, key)], [1, true])
    assert.equal(isSignedBy(`${text}x`, signatures[0]!, key), false)
    assert.equal(isSignedBy(text, { ...signatures[0]!, name: 'Other' }, key), false)
    assert.equal(isSignedBy(text, { ...signatures[0]!, bytes: signatures[0]!.bytes.subarray(1) }, key), false)
  })

  it('has blank lines in its text if it will', () => {
    const note = signNote('a\n\nb\n', signer)
    assert.equal(parseNote(note)?.text, 'a\n\nb\n')
  })

  for (const [name, text] of Object.entries({
    'no signature': 'text\n\n',
    'no blank line': 'text\n— a AAAAAAA=\n',
    'no line feed at the end': NOTE.slice(0, -1),
    'a name with a plus': 'text\n\n— a+b AAAAAAA=\n',
    'a signature of four bytes': 'text\n\n— a AAAAAA==\n',
    'another dash': NOTE.replace('—', '-'),
  })) {
    it(`is none with ${name}`, () => assert.equal(parseNote(text), undefined))
  }

  it('has keys whose parts belong together', () => {
    for (const wrong of [VKEY.replace('c74f', 'c74e'), VKEY.replace('Peter', 'Petra'), `${VKEY}AA`, 'a+b+c', '']) {
      assert.equal(parseVkey(wrong, 1), undefined)
    }
    assert.equal(parseVkey(VKEY, 4), undefined)
  })
})

describe('a cosignature', () => {
  const witness = witnessOf('witness.example/w1', Buffer.alloc(32, 7))
  const known = parseWitnessKeys(` ${vkeyOf(witness)} ,`)![0]!

  it('is verified with its time', () => {
    const { signatures } = parseNote(`${NOTE}${cosign(TEXT, witness, 1_679_315_147)}`)!
    const [, line] = signatures
    assert.equal(isSignedBy(TEXT, line!, known), true)
    assert.equal(line!.bytes.readBigUInt64BE(), 1_679_315_147n)
    const later = Buffer.from(line!.bytes)
    later.writeBigUInt64BE(1_679_315_148n)
    assert.equal(isSignedBy(TEXT, { ...line!, bytes: later }, known), false)
  })

  it('is by a key of its own type', () => {
    assert.equal(parseWitnessKeys(VKEY), undefined)
    assert.deepEqual(parseWitnessKeys(''), [])
  })
})
