// Trusted publishing: forged ID tokens, tokens of issuers that an attacker chose, runs for items of others, and a stolen token that would undo
// what makes versions wait.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import { type Attack, hold, holdEach, holdRefused, holdStatus } from './attack.ts'
import { bearer } from './oauth-client.ts'
import type { Target } from './target.ts'
import { publishToAll, workflow } from './things.ts'

const CLAUSE = 'tokens'
const GITHUB = 'https://token.actions.githubusercontent.com'
const RUN = { repository: 'mira/digest', workflow: 'publish.yml', ref: 'main' }
const CLAIMS = {
  ...{
    sub: 'repo:mira/digest:ref:refs/heads/main',
    repository: 'mira/digest',
    repository_id: '1',
    repository_owner_id: '2',
  },
  ...{ ref: 'refs/heads/main', sha: 'a'.repeat(40), event_name: 'push', run_id: '1', jti: 'x' },
  workflow_ref: 'mira/digest/.github/workflows/publish.yml@refs/heads/main',
}

const exchange = (target: Target, token: string, name: string) =>
  target.anonymous().form('/api/auth/oauth2/token', {
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
    subject_token: token,
    resource: `${target.origin}/api/library/items/${name}`,
  })

export const trustedPublishing: Attack[] = [
  {
    name: 'a forged ID token of a run publishes nothing',
    clause: CLAUSE,
    needs: ['newcomers'],
    async run(target) {
      const owner = await target.newcomer()
      const { id, slug } = await publishToAll(owner)
      await owner.api.trustedPublishers.add({ item: id, ...RUN })
      const { privateKey } = await generateKeyPair('RS256')
      const of = <Jwt extends SignJWT | UnsecuredJWT>(jwt: Jwt) =>
        jwt.setIssuer(GITHUB).setAudience(`${target.origin}/api/auth`).setIssuedAt().setExpirationTime('5m') as Jwt
      const forged = {
        'no signature': of(new UnsecuredJWT(CLAIMS)).encode(),
        'a shared secret': await of(new SignJWT(CLAIMS)).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.alloc(32)),
        'another key': await of(new SignJWT(CLAIMS)).setProtectedHeader({ alg: 'RS256', kid: 'x' }).sign(privateKey),
        'a key in the header': await of(new SignJWT(CLAIMS))
          .setProtectedHeader({ alg: 'RS256', jku: 'http://127.0.0.1/keys' })
          .sign(privateKey),
        'no token': 'nothing',
      }
      await holdEach(
        Object.entries(forged),
        ([what]) => what,
        async ([what, token]) => {
          holdStatus(await exchange(target, token, `workflow/${slug}`), [400, 429], what)
        },
      )
      return `${Object.keys(forged).length} tokens`
    },
  },
  {
    name: 'an issuer of ID tokens that the operator does not allow is not asked for its keys',
    clause: CLAUSE,
    async run(target) {
      let asked = 0
      const server = createServer((_, response) => {
        asked++
        response.end('{}')
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const own = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      const { privateKey, publicKey } = await generateKeyPair('ES256')
      const jwk = await exportJWK(publicKey)
      const issuers = [
        own,
        own.replace('http', 'https'),
        'http://169.254.169.254',
        `${GITHUB}.example.com`,
        `${GITHUB}/`,
        'file:///etc/passwd',
      ]
      try {
        await holdEach(issuers, String, async (issuer) => {
          const token = await new SignJWT(CLAIMS)
            .setProtectedHeader({ alg: 'ES256', jwk })
            .setIssuer(issuer)
            .setAudience(`${target.origin}/api/auth`)
            .setIssuedAt()
            .setExpirationTime('5m')
            .sign(privateKey)
          holdStatus(await exchange(target, token, 'workflow/x'), [400, 429], issuer)
        })
      } finally {
        server.close()
      }
      hold(asked === 0, 'an issuer was asked')
      return `${issuers.length} issuers`
    },
  },
  {
    name: 'a member lets no CI publish an item of another account, and does not see who does',
    clause: CLAUSE,
    needs: ['newcomers'],
    async run(target) {
      const [owner, other] = [await target.newcomer(), await target.newcomer()]
      const { id, kind, slug } = await publishToAll(owner)
      const publisher = await owner.api.trustedPublishers.add({ item: id, ...RUN })
      await holdRefused(other.api.trustedPublishers.add({ item: id, ...RUN }), [403], 'an item of another')
      await holdRefused(other.api.trustedPublishers.add({ kind, slug, ...RUN }), [409], 'its name')
      await holdRefused(other.api.trustedPublishers.list({ item: id }), [403], 'who publishes it')
      await holdRefused(other.api.trustedPublishers.remove({ id: publisher.id }), [404], 'its end')
      await holdRefused(other.api.trustedPublishers.setStaging({ id, only: true }), [403], 'that it waits')
      await holdRefused(other.api.pendingActs.list({ item: id }), [404], 'what waits')
      return 'all refused'
    },
  },
  {
    name: 'a stolen token publishes no version that must wait for a person, and does not agree to it',
    clause: CLAUSE,
    needs: ['newcomers'],
    async run(target) {
      const owner = await target.newcomer()
      const { id } = await publishToAll(owner)
      await owner.api.trustedPublishers.setStaging({ id, only: true })
      const scopes = ['library:read' as const, 'library:write' as const, 'community:write' as const]
      const { token } = await owner.api.personalTokens.create({ name: 'A script', scopes })
      const { api } = bearer(target, token)
      await api.library.publishVersion({ id, file: Buffer.from(workflow()) }).catch(() => undefined)
      hold((await owner.api.library.get({ id })).version === '1.0.0', 'the version is there')
      await holdRefused(api.trustedPublishers.setStaging({ id, only: false }), [401], 'the setting')
      const { items } = await owner.api.pendingActs.list({ item: id })
      for (const act of items) await holdRefused(api.pendingActs.approve({ id: act.id }), [401], 'the yes')
      return 'it waits'
    },
  },
]
