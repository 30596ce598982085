// Web Bot Auth (draft-meunier-web-bot-auth-architecture; HTTP message signatures, RFC 9421): a program that signs its requests names the site that has
// its keys. A request whose signature is good has a mark in the log and in the figures, and no right. Its keys are fetched in the background, by
// the guarded request, bounded: until they are there, and where they cannot be had, the request is served as any other.
import type { JWK } from 'jose'
import { z } from 'zod'
import {
  type Fetching,
  fetchPublicJson,
  type KeySet,
  type KeySets,
  keySetIn,
  keySets,
} from '../../outgoing/key-sets.ts'
import type { Log } from '../../runtime/log.ts'

const DIRECTORY = '/.well-known/http-message-signatures-directory'
const TAG = 'web-bot-auth'
const MAX_DIRECTORY_BYTES = 32 * 1024
const MAX_HEADER = 2_000
const MOST_SITES = 200
/** Sites that are asked for keys in a minute, for all requests together. */
const NEW_SITES = 30
const LONGEST_SECONDS = 86_400

/** Requests that say they are signed, by result, since the start. */
export const signedCounts = new Map<string, number>()
export const signedOutcomes = ['verified', 'unknown', 'refused'] as const

type Outcome = (typeof signedOutcomes)[number]

const Parameters = z.object({
  keyid: z.string().max(200),
  tag: z.literal(TAG),
  created: z.date(),
  expires: z.number(),
})

interface Options extends Fetching {
  config: Fetching['config'] & { readonly baseUrl: string }
  clock: Fetching['clock'] & { now(): number }
  log: Pick<Log, 'debug'>
}

/** The site that signed a request, as `https://agent.example`; undefined for one that is not signed, or not verified now. */
export type ReadSigner = (request: Request) => Promise<string | undefined>

export function signerReader(options: Options): ReadSigner {
  const sites = keySets(options, { read: (site) => directoryOf(options, site), most: MOST_SITES })
  const isAllowed = perMinute(options.clock, NEW_SITES)
  return async (request) => {
    const site = siteIn(request.headers)
    if (site === undefined) return undefined
    const outcome = await outcomeOf(options, {
      request,
      site,
      keys: keysNow(options, { sites, site, isAllowed }),
    }).catch((): Outcome => 'refused')
    signedCounts.set(outcome, (signedCounts.get(outcome) ?? 0) + 1)
    return outcome === 'verified' ? site : undefined
  }
}

/** The origin in `Signature-Agent`: a text, or the first of a dictionary of texts (RFC 9651). */
function siteIn(headers: Headers): string | undefined {
  const [agent, input, signature] = ['signature-agent', 'signature-input', 'signature'].map((name) => headers.get(name))
  if (!agent || !input || !signature || agent.length + input.length + signature.length > MAX_HEADER) return undefined
  const named = URL.parse(/"(https:\/\/[^"\\\s]{1,300})"/.exec(agent)?.[1] ?? '')
  return named && !named.username ? named.origin : undefined
}

/** The keys that are there now; what is missing or old is fetched in the background. */
function keysNow(
  { log }: Options,
  { sites, site, isAllowed }: { sites: KeySets; site: string; isAllowed(): boolean },
): KeySet | undefined {
  const kept = sites.kept(site)
  if (kept || isAllowed())
    sites
      .of(site)
      .catch((error: unknown) => log.debug({ err: error, site }, 'the keys of a program could not be fetched'))
  return kept
}

function perMinute(clock: Fetching['clock'], most: number): () => boolean {
  let [began, count] = [Number.NEGATIVE_INFINITY, 0]
  return () => {
    if (clock.elapsed() - began >= 60_000) [began, count] = [clock.elapsed(), 0]
    return count++ < most
  }
}

/** The keys of a site, named by their thumbprints (RFC 7638; RFC 8037, appendix A.3): what a signature calls them. */
async function directoryOf(options: Options, site: string): Promise<KeySet> {
  const { calculateJwkThumbprint } = await import('jose')
  const { keys } = keySetIn(await fetchPublicJson(options, site + DIRECTORY, MAX_DIRECTORY_BYTES))
  const signing = keys.filter((key) => key.kty === 'OKP' && key['crv'] === 'Ed25519')
  return {
    keys: await Promise.all(signing.map(async (key) => ({ ...key, kid: await calculateJwkThumbprint(key as JWK) }))),
  }
}

async function outcomeOf(
  { config, clock }: Options,
  { request, keys }: { request: Request; site: string; keys: KeySet | undefined },
): Promise<Outcome> {
  if (!keys) return 'unknown'
  const { httpbis } = await import('http-message-signatures')
  const { pathname, search } = new URL(request.url)
  // The public origin, regardless of proxies in front of the server.
  const sent = {
    method: request.method,
    url: new URL(pathname + search, config.baseUrl),
    headers: Object.fromEntries(request.headers),
  }
  const now = clock.now() / 1000
  let wasKnown = false
  const isGood = await httpbis.verifyMessage(
    {
      requiredParams: ['created', 'expires', 'keyid', 'tag'],
      requiredFields: ['@authority', 'signature-agent'],
      notAfter: Math.ceil(now) + 5,
      async keyLookup(given) {
        const { data } = Parameters.safeParse(given)
        const key = data && keys.keys.find(({ kid }) => kid === data.keyid)
        if (!data || !key) return null
        wasKnown = true
        const isNow = data.expires >= now - 5 && data.expires - data.created.getTime() / 1000 <= LONGEST_SECONDS
        return { algs: ['ed25519'], verify: async (text, signature) => isNow && verify(key, text, signature) }
      },
    },
    sent,
  )
  return isGood === true ? 'verified' : wasKnown ? 'refused' : 'unknown'
}

async function verify(key: object, text: Uint8Array, signature: Uint8Array): Promise<boolean> {
  const algorithm = { name: 'Ed25519' }
  const { kty, crv, x } = key as { kty: string; crv: string; x: string }
  const imported = await crypto.subtle.importKey('jwk', { kty, crv, x }, algorithm, false, ['verify'])
  return crypto.subtle.verify(algorithm, imported, new Uint8Array(signature), new Uint8Array(text))
}
