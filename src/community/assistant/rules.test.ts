// What of a failed question is counted.
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { describe, it } from 'node:test'
import { NO_PUBLIC_ADDRESS } from '../../outgoing/guarded-request.ts'
import { wasNeverSent } from './rules.ts'

describe('a question that has no answer', () => {
  it('was never sent where there is no connection', async () => {
    assert.equal(wasNeverSent(new Error(NO_PUBLIC_ADDRESS)), true)
    const error = await new Promise((resolve) => connect(9, '127.0.0.1').once('error', resolve))
    assert.equal(wasNeverSent(error), true)
  })

  it('may have arrived where it took too long, or the connection broke', async () => {
    const signal = AbortSignal.timeout(1)
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
    for (const error of [signal.reason, Object.assign(new Error('reset'), { code: 'ECONNRESET' }), 'text', undefined])
      assert.equal(wasNeverSent(error), false)
  })
})
