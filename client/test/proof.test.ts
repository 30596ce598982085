// Proofs of work: the client finds one where a server asks for it, on made-up answers and at a server that listens.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import { onTerminal } from '../../cli/test/terminal.ts'
import { listening } from '../../test/listening.ts'
import { verified } from '../../test/pending.ts'
import { BoundError, type GuildhallError } from '../src/errors.ts'
import { createClient } from '../src/main-node.ts'
import { answering, clientWith, errorOf, jsonAnswer, type Sent, URL_OF_SERVER } from './platform.ts'

const post = { title: 'Hello', body: 'I am new here' }
const refusal = () =>
  jsonAnswer(403, { error: 'Send a proof of work first' }, { 'Proof-Of-Work': 'challenge="https://evil.example/x"' })

const challengeOf = (number: number, maxnumber: number) => ({
  ...{ algorithm: 'SHA-256', salt: 'ab?expires=1&', signature: 'c01d', maxnumber },
  challenge: createHash('sha256').update(`ab?expires=1&${number}`).digest('hex'),
})

const proofIn = ({ headers }: Sent) => JSON.parse(atob(headers.get('proof-of-work') ?? ''))

describe('a proof of work', () => {
  it('is found for a refusal that asks for one, at the server itself, and sent with the same request', async () => {
    const { maxnumber: _, ...asked } = challengeOf(12_345, 20_000)
    const { fetch, requests } = answering(
      refusal(),
      jsonAnswer(200, { ...asked, maxnumber: 20_000 }),
      jsonAnswer(201, { id: '1' }),
    )
    const { client, waits } = clientWith({ fetch })
    assert.deepEqual(await client.posts.create(post), { id: '1' })
    const [first, second, third] = requests as [Sent, Sent, Sent]
    assert.deepEqual([second.method, second.url], ['GET', `${URL_OF_SERVER}/api/challenge`])
    assert.deepEqual(proofIn(third), { ...asked, number: 12_345 })
    assert.equal(third.body, first.body)
    assert.equal(third.headers.get('idempotency-key'), first.headers.get('idempotency-key'))
    assert.deepEqual(waits, [0, 0])
  })

  it('is found once: a second refusal, another one, and a challenge without an end are errors', async () => {
    const solved = () => jsonAnswer(200, challengeOf(3, 10))
    const { fetch, requests } = answering(refusal(), solved(), refusal())
    assert.equal((await errorOf<GuildhallError>(clientWith({ fetch }).client.posts.create(post))).status, 403)
    assert.equal(requests.length, 3)
    const plain = answering(jsonAnswer(403, { error: 'Forbidden' }))
    assert.equal((await errorOf<GuildhallError>(clientWith(plain).client.posts.create(post))).status, 403)
    assert.equal(plain.requests.length, 1)
    for (const challenge of [challengeOf(11, 10), challengeOf(3, 10_000_001), { maxnumber: 'x' }, null]) {
      const endless = answering(refusal(), jsonAnswer(200, challenge))
      assert.equal((await errorOf<GuildhallError>(clientWith(endless).client.posts.create(post))).status, 403)
      assert.equal(endless.requests.length, 2)
    }
  })

  it('ends with its call', async () => {
    const ending = new AbortController()
    const { fetch } = answering(refusal(), () => {
      ending.abort(new BoundError('Enough'))
      return jsonAnswer(200, challengeOf(9_999, 10_000))
    })
    await assert.rejects(clientWith({ fetch, signal: ending.signal }).client.posts.create(post), BoundError)
  })

  it('is found for a server that asks for one: with a token, and for a sign-up', async (t) => {
    await listening(t, async (world) => {
      await world.alice.account()
      await verified(world)
      await world.admin.settings.change({ changes: { PROOF_OF_WORK: 'new', PROOF_NUMBERS: '1000' } })
      const { token } = await world.alice.personalTokens.create({ name: 'Script', scopes: ['community:write'] })
      const guildhall = createClient({ url: world.dependencies.config.baseUrl, token, retries: 0 })
      for (const title of ['One', 'Two']) assert.equal((await guildhall.posts.create({ ...post, title })).title, title)
      const account = { name: 'Ada', email: 'ada@example.com', password: 'a fine long password' }
      await createClient({ url: world.dependencies.config.baseUrl }).accounts.signUp(account)
    })
  })
})

describe('the command line', () => {
  onTerminal('finds a proof of work where the server asks for one', async ({ world, run, login }) => {
    await login()
    await verified(world)
    await world.admin.settings.change({ changes: { PROOF_OF_WORK: 'new', PROOF_NUMBERS: '1000' } })
    const { output } = await run(['api', 'posts.create', '--title', 'Hello', '--body', 'I am new here'])
    assert.match(output, /Hello/)
  })
})
