// Notes against the example of their authors, and what is no note.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isNoteSigned, parseNote, parseVkey, parseWitnessKeys, readCheckpoint, vkeyOf } from '../src/main.ts'
import { cosign, signerOf, signNote, witnessOf } from '../src/signing.ts'

/** The example of golang.org/x/mod/sumdb/note, which c2sp.org/signed-note describes. */
const VKEY = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW'
const SECRET = 'AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz'
const TEXT = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n"
const NOTE = `${TEXT}\n— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n`

const signer = signerOf('PeterNeumann', Buffer.from(SECRET, 'base64').subarray(1))
const key = parseVkey(VKEY)!

describe('a signed note', () => {
  it('is that of the example', () => {
    assert.equal(vkeyOf(signer), VKEY)
    assert.equal(signNote(TEXT, signer), NOTE)
  })

  it('is read as its text and its signatures, which are verified', async () => {
    const note = parseNote(NOTE)!
    const [signature] = note.signatures
    assert.equal(note.text, TEXT)
    assert.deepEqual([note.signatures.length, await isNoteSigned(note, key)], [1, true])
    const wrong = {
      'another text': { ...note, text: `${note.text}x` },
      'the name of another': { ...note, signatures: [{ ...signature!, name: 'Other' }] },
      'another id': { ...note, signatures: [{ ...signature!, id: '00000000' }] },
      'a shorter signature': { ...note, signatures: [{ ...signature!, bytes: signature!.bytes.subarray(1) }] },
      'no signature': { ...note, signatures: [] },
    }
    for (const [what, other] of Object.entries(wrong)) assert.equal(await isNoteSigned(other, key), false, what)
    assert.equal(await isNoteSigned(note, { ...key, type: 2 }), false, 'a key of an unknown type')
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
    'a line that is no signature': `${NOTE}x\n`,
    'base64 without its padding': NOTE.replace('=', ''),
    'another dash': NOTE.replace('—', '-'),
  })) {
    it(`is none with ${name}`, () => assert.equal(parseNote(text), undefined))
  }

  it('has keys whose parts belong together', () => {
    for (const wrong of [VKEY.replace('c74f', 'c74e'), VKEY.replace('Peter', 'Petra'), `${VKEY}AA`, 'a+b+c', '']) {
      assert.equal(parseVkey(wrong), undefined)
    }
  })
})

describe('a cosignature', () => {
  const witness = witnessOf('witness.example/w1', Buffer.alloc(32, 7))
  const known = parseWitnessKeys(` ${vkeyOf(witness)} ,`)![0]!

  it('is verified with its time', async () => {
    const { text, signatures } = parseNote(`${NOTE}${cosign(TEXT, witness, 1_679_315_147)}`)!
    const [, line] = signatures
    assert.equal(await isNoteSigned({ text, signatures }, known), true)
    const time = new DataView(line!.bytes.buffer, line!.bytes.byteOffset)
    assert.equal(time.getBigUint64(0), 1_679_315_147n)
    time.setBigUint64(0, 1_679_315_148n)
    assert.equal(await isNoteSigned({ text, signatures }, known), false)
    const short = { ...line!, bytes: line!.bytes.subarray(0, 8) }
    assert.equal(await isNoteSigned({ text, signatures: [short] }, known), false)
  })

  it('is by a key of its own type', () => {
    assert.equal(parseWitnessKeys(VKEY), undefined)
    assert.deepEqual(parseWitnessKeys(''), [])
  })
})

describe('a checkpoint', () => {
  const root = Buffer.alloc(32, 5).toString('base64')
  const text = `log.example\n7\n${root}\n`

  it('is read with what its text says, with any other lines below it', () => {
    const checkpoint = readCheckpoint(`${signNote(text, signer)}x\n`)!
    assert.deepEqual([checkpoint.origin, checkpoint.size, checkpoint.signatures.length], ['log.example', 7, 1])
    assert.equal(Buffer.from(checkpoint.root).toString('base64'), root)
  })

  for (const [name, wrong] of Object.entries({
    'no blank line': text,
    'no origin': signNote(`\n7\n${root}\n`, signer),
    'a size with a zero before it': signNote(text.replace('7', '07'), signer),
    'a size below zero': signNote(text.replace('7', '-7'), signer),
    'a root of 31 bytes': signNote(`log.example\n7\n${Buffer.alloc(31).toString('base64')}\n`, signer),
  })) {
    it(`is none with ${name}`, () => assert.equal(readCheckpoint(wrong), undefined))
  }
})
