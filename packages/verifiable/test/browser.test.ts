// What runs where Node's cryptography is not at hand: by the SHA-256 of this package and by Web Crypto, as in browsers; and in an older Node.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { describe, it } from 'node:test'
import * as here from '../src/main.ts'
import { signerOf, signNote } from '../src/signing.ts'

const signer = signerOf('log.example', new Uint8Array(32).fill(7))
const leaves = ['a', 'b', 'c'].map((text) => here.leafHash(here.utf8(text)))
const note = signNote(here.checkpointText({ origin: 'log.example', size: 3, root: rootOf(leaves) }), signer)

function rootOf(hashes: readonly Uint8Array[]): Uint8Array {
  const [a, b, c] = hashes as [Uint8Array, Uint8Array, Uint8Array]
  return here.nodeHash(here.nodeHash(a, b), c)
}

/** The root of the leaves and whether the checkpoint is signed, before and after a change, in a Node without these. */
function computeWithout(missing: string): unknown {
  const program = `${missing}
    const v = await import(${JSON.stringify(new URL('../src/main.ts', import.meta.url).href)})
    const [note, vkey] = ${JSON.stringify([note, here.vkeyOf(signer)])}
    const key = v.parseVkey(vkey)
    const checkpoint = v.readCheckpoint(note)
    const [a, b, c] = ['a', 'b', 'c'].map((text) => v.leafHash(v.utf8(text)))
    const root = v.toHex(v.nodeHash(v.nodeHash(a, b), c))
    const isSigned = await v.isNoteSigned(checkpoint, key)
    const isOtherSigned = await v.isNoteSigned({ ...checkpoint, text: checkpoint.text + 'x' }, key)
    console.log(JSON.stringify({ root, isSigned, isOtherSigned, plain: a.constructor.name }))`
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' }))
}

describe('without the cryptography of Node', () => {
  const expected = { root: here.toHex(rootOf(leaves)), isSigned: true, isOtherSigned: false, plain: 'Uint8Array' }
  const withoutHex = 'delete Uint8Array.prototype.toHex; delete Uint8Array.fromHex;'

  it('a tree has the same root and a checkpoint verifies, in a browser', () => {
    assert.deepEqual(computeWithout('delete process.getBuiltinModule;'), expected)
    assert.deepEqual(computeWithout('delete globalThis.process;'.concat(withoutHex)), expected)
  })

  it('they do in an older Node, which has no Web Crypto', () => {
    assert.deepEqual(
      computeWithout(`delete process.getBuiltinModule; delete globalThis.crypto; ${withoutHex}`),
      expected,
    )
  })
})
