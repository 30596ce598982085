// The signature, by the example of the specification's own libraries.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { newSecret, signedHeaders } from './signing.ts'

const attempt = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: 1_614_265_330, payload: '{"test": 2432232314}' }
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

it('A delivery is signed as the libraries of Standard Webhooks sign it', () => {
  assert.deepEqual(signedHeaders(attempt, [secret]), {
    'webhook-id': attempt.id,
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  })
})

it('A delivery is signed with each secret', () => {
  const { 'webhook-signature': signature = '' } = signedHeaders(attempt, [newSecret(), secret])
  assert.equal(signature.split(' ').length, 2)
  assert.equal(signature.split(' ')[1], 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
})

it('A secret has a prefix and 32 random bytes', () => {
  const made = newSecret()
  assert.match(made, /^whsec_[A-Za-z0-9+/]{43}=$/)
  assert.notEqual(made, newSecret())
})
