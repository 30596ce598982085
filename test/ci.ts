// A CI of tests: an issuer of ID tokens on this machine by oauth2-mock-server, which is not ours, and what a run of the CI does.
import { join } from 'node:path'
import { after } from 'node:test'
import { type MutableToken, OAuth2Server } from 'oauth2-mock-server'
import { ID_TOKEN_TYPE } from '../src/oauth/ci/ci.ts'
import { TOKEN_EXCHANGE } from '../src/oauth/rules.ts'
import { required } from '../src/runtime/untyped.ts'
import { oauthClient, type TokenAnswer } from './oauth.ts'
import { home } from './webhook-receiver.ts'
import type { Person, World } from './world.ts'

const fixture = (name: string) => join(import.meta.dirname, 'fixtures/loopback', name)

type Claims = Record<string, unknown>

/** What GitHub Actions says of a push to the default branch. */
export const gitHub = (changes: Claims = {}): Claims => ({
  sub: 'repo:mira/digest:ref:refs/heads/main',
  repository: 'mira/digest',
  repository_id: '1296269',
  repository_owner: 'mira',
  repository_owner_id: '583231',
  ref: 'refs/heads/main',
  ref_type: 'branch',
  sha: 'a3f1c9d0b7e64f21a3f1c9d0b7e64f21a3f1c9d0',
  workflow_ref: 'mira/digest/.github/workflows/publish.yml@refs/heads/main',
  event_name: 'push',
  run_id: '4711',
  run_attempt: '1',
  ...changes,
})

/** What GitLab CI says of the same. */
export const gitLab = (host: string, changes: Claims = {}): Claims => ({
  sub: 'project_path:mira/tools/digest:ref_type:branch:ref:main',
  project_path: 'mira/tools/digest',
  project_id: '22',
  namespace_path: 'mira/tools',
  namespace_id: '72',
  ref: 'main',
  ref_path: 'refs/heads/main',
  sha: 'a3f1c9d0b7e64f21a3f1c9d0b7e64f21a3f1c9d0',
  ci_config_ref_uri: `${host}/mira/tools/digest//.gitlab-ci.yml@refs/heads/main`,
  pipeline_source: 'push',
  pipeline_id: '574',
  job_id: '302',
  ...changes,
})

export interface Issuer {
  url: string
  host: string
  server: OAuth2Server
  /** How often it was asked, where no other world has it. */
  fetched(): number
  /** An ID token, signed with a key that it has; `change` has its header and payload before that. */
  token(claims: Claims, change?: (token: MutableToken) => void, kid?: string): Promise<string>
}

const started: Promise<OAuth2Server>[] = []
let shared: Promise<OAuth2Server> | undefined

after(async () => {
  for (const server of started) await (await server).stop()
})

async function start(algorithm: 'RS256' | 'ES256'): Promise<OAuth2Server> {
  const server = new OAuth2Server(fixture('key.pem'), fixture('certificate.pem'))
  await server.issuer.keys.generate(algorithm)
  await server.start(0, 'localhost')
  return server
}

function begin(algorithm: 'RS256' | 'ES256'): Promise<OAuth2Server> {
  const server = start(algorithm)
  started.push(server)
  return server
}

/** Lets a world take ID tokens of an issuer on this machine, beside those that it takes; `isOwn` for one that no other world has. */
export async function issuerFor({ admin, dependencies, clock }: World, isOwn = false): Promise<Issuer> {
  if (!isOwn) shared ??= begin('RS256')
  const server = await (isOwn ? begin('ES256') : required(shared))
  let fetches = 0
  if (isOwn) server.service.on('beforeWellKnownOpenIdConfiguration', () => fetches++)
  const url = server.issuer.url ?? ''
  const { config } = dependencies
  dependencies.reach = home
  await admin.settings.change({ changes: { CI_ISSUERS: [...config.ciIssuers, url].join(',') } })
  let jti = 0
  return {
    ...{ url, host: new URL(url).host, server, fetched: () => fetches },
    token: (claims, change, kid) =>
      server.issuer.buildToken({
        kid,
        expiresIn: 300,
        scopesOrTransform(header, payload) {
          const iat = Math.floor(clock.now() / 1000)
          Object.assign(payload, {
            iat,
            nbf: iat - 60,
            exp: iat + 300,
            aud: config.issuer,
            jti: `${Date.now()}-${jti++}`,
            ...claims,
          })
          change?.({ header, payload })
        },
      }),
  }
}

/** Keys that no library can use: too short, off the curve, without their numbers. */
const BAD_KEYS = [
  { alg: 'RS256', kty: 'RSA', n: Buffer.alloc(128, 0xff).toString('base64url'), e: 'AQAB' },
  { alg: 'RS256', kty: 'RSA', n: '', e: '' },
  { alg: 'ES256', kty: 'EC', crv: 'P-256', x: 'AAAA', y: 'AAAA' },
  { alg: 'ES256', kty: 'EC', crv: 'P-256' },
  { alg: 'EdDSA', kty: 'OKP', crv: 'Ed25519', x: '!!' },
].map((key, at) => ({ ...key, kid: `bad-${at}` }))

/** Has an issuer of its own publish bad keys; gives a good token as if each of them had signed it. */
export function withBadKeys({ server, url }: Issuer, token: string): string[] {
  server.service.on('beforeWellKnownOpenIdConfiguration', ({ body }: { body: Claims }) => {
    body['jwks_uri'] = `${url}/userinfo`
  })
  server.service.on('beforeUserinfo', (answer: { body: Claims }) => {
    answer.body = { keys: BAD_KEYS }
  })
  const [head = '', claims = '', signature = ''] = token.split('.')
  return BAD_KEYS.map(({ alg, kid }) => {
    const header = { ...JSON.parse(Buffer.from(head, 'base64url').toString()), alg, kid }
    return [Buffer.from(JSON.stringify(header)).toString('base64url'), claims, signature].join('.')
  })
}

export interface RunAnswer extends TokenAnswer {
  issued_token_type?: string
  item_id: string | null
}

/** Sends the ID token of a run for a token that publishes `name`, as in `workflow/digest`. */
export function exchangeRun(world: World, token: string, name: string, more: Record<string, string> = {}) {
  const form = {
    grant_type: TOKEN_EXCHANGE,
    subject_token: token,
    subject_token_type: ID_TOKEN_TYPE,
    resource: `${world.dependencies.config.baseUrl}/api/library/items/${name}`,
    ...more,
  }
  return oauthClient(world).token(form) as Promise<RunAnswer>
}

/** Lets runs on the default branch of mira/digest publish an item of a person. */
export const letRun = (
  person: Person,
  issuer: Pick<Issuer, 'url'>,
  of: { item: string } | { kind: 'workflow'; slug: string },
) =>
  person.trustedPublishers.add({
    ...of,
    ...{ issuer: issuer.url, repository: 'mira/digest', workflow: '.github/workflows/publish.yml', ref: 'main' },
  })

/** Publishes with a token; gives the response. */
export async function publishWith(
  world: World,
  token: string,
  form: Record<string, string | File>,
  path = '/api/library/items',
) {
  const body = new FormData()
  for (const [name, value] of Object.entries(form)) body.append(name, value)
  const { baseUrl } = world.dependencies.config
  const method = path === '/api/library/items' ? 'POST' : 'PUT'
  const sent = new Request(`${baseUrl}${path}`, { method, body, headers: { Authorization: `Bearer ${token}` } })
  // A body of undeclared length is refused.
  const bytes = new Uint8Array(await sent.arrayBuffer())
  const headers = new Headers(sent.headers)
  headers.set('Content-Length', String(bytes.length))
  return world.app.fetch(new Request(sent.url, { method, body: bytes, headers }))
}
