// A description of an API as readers have it who follow its references, by the resolver of Spectral.
import assert from 'node:assert/strict'
import spectralCore from '@stoplight/spectral-core'

/** The document with what its references name in their places. Fails where a reference leads nowhere. */
export async function dereferenced<T extends object>(document: T): Promise<T> {
  const spectral = new spectralCore.Spectral()
  spectral.setRuleset({ rules: {} })
  const { resolved, results } = await spectral.runWithResolved(JSON.stringify(document))
  assert.deepEqual(
    results.map(({ code, message, path }) => `${code} at ${path.join('.')}: ${message}`),
    [],
  )
  return resolved as T
}
