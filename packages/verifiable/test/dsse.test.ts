// Envelopes against the example of DSSE, and what does not verify.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Envelope, fromBase64, isEnvelopeSigned, preAuthEncoding, toBase64, utf8 } from '../src/main.ts'
import { signerOf } from '../src/signing.ts'

const TYPE = 'http://example.com/HelloWorld'
const signer = signerOf('signer', new Uint8Array(32).fill(7))
const payload = utf8('hello wörld')
const sig = toBase64(signer.sign(preAuthEncoding(TYPE, payload)))
const envelope: Envelope = {
  payload: toBase64(payload),
  payloadType: TYPE,
  signatures: [
    { keyid: 'other', sig: toBase64(new Uint8Array(64)) },
    { keyid: 'signer', sig },
  ],
}
const by = { keyid: 'signer', key: signer.key }

describe('an envelope', () => {
  it('is encoded as the example of the protocol', () => {
    const encoded = new TextDecoder().decode(preAuthEncoding(TYPE, utf8('hello world')))
    assert.equal(encoded, `DSSEv1 29 ${TYPE} 11 hello world`)
  })

  it('counts bytes, and keeps those that are no text', () => {
    const bytes = preAuthEncoding('ö', Uint8Array.of(0xff, 0xfe))
    assert.equal(Buffer.from(bytes).toString('latin1'), 'DSSEv1 2 \u00c3\u00b6 2 \u00ff\u00fe')
  })

  it('is signed by the key that has the id', async () => {
    assert.equal(await isEnvelopeSigned(envelope, by), true)
    assert.equal(await isEnvelopeSigned(envelope, { ...by, keyid: 'other' }), false)
    assert.equal(await isEnvelopeSigned(envelope, { ...by, keyid: 'nobody' }), false)
    assert.equal(await isEnvelopeSigned(envelope, { ...by, key: new Uint8Array(31) }), false)
    assert.equal(await isEnvelopeSigned(envelope, { ...by, key: new Uint8Array(32) }), false)
  })

  it('is not signed when its payload or its type is another', async () => {
    assert.equal(await isEnvelopeSigned({ ...envelope, payload: toBase64(utf8('hello')) }, by), false)
    assert.equal(await isEnvelopeSigned({ ...envelope, payload: '?' }, by), false)
    assert.equal(await isEnvelopeSigned({ ...envelope, payloadType: `${TYPE}!` }, by), false)
  })
})

describe('base64', () => {
  it('is read as RFC 4648 writes it, and otherwise not at all', () => {
    for (const bytes of [[], [0], [255, 254], [1, 2, 3], Array.from({ length: 300 }, (_, index) => index % 256)]) {
      const text = toBase64(Uint8Array.from(bytes))
      assert.equal(text, Buffer.from(bytes).toString('base64'))
      assert.deepEqual([...fromBase64(text)!], bytes)
    }
    for (const wrong of ['A', 'AA', 'AA=', 'AAA', 'AAAA=', 'A_AA', 'AA-A', 'AAAA\n', ' AAAA']) {
      assert.equal(fromBase64(wrong), undefined, wrong)
    }
  })
})
