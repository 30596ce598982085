// Which domain a name of an MCP server says, and which keys a domain names: the file and the records of the official MCP registry
// (github.com/modelcontextprotocol/registry, its HTTP method). Pure.
import type { Kind } from '../items/item-contract.ts'

/** For all of it: name, connection and answer. */
export const TIMEOUT_MILLISECONDS = 5_000
/** So much of an answer is read; a longer one names no key. */
export const ANSWER_BYTES = 4_096
/** Domains that are asked within a day. */
export const MAX_DOMAINS_A_DAY = 1_000
/** A domain is asked at most once in so long, however often versions are signed. */
export const REST_SECONDS = 600
/** One that answered is asked again. */
export const AGAIN_SECONDS = 86_400
/** One that did not answer is asked again. */
export const RETRY_SECONDS = 6 * 3_600
/**
 * How long a domain that does not answer keeps what it said, and how long one that proves nothing is asked, from the last signature of a
 * version on.
 */
export const KEPT_SECONDS = 7 * 86_400

const MAX_DOMAIN = 253
const LABEL = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/
/** Names of GitHub are proven by its runs alone. */
const GITHUB = /(?:^|\.)github\.io$/

/**
 * The domain that the name of an item says, by its slug: what is before the slash (`_` in a slug), from the end to the beginning. Undefined
 * where that is no domain that can prove a name. Its last label begins with a letter, so it is no address of a machine.
 */
export function domainOf({ kind, slug }: { kind: Kind; slug: string }): string | undefined {
  if (kind !== 'mcp-server') return undefined
  const [namespace = ''] = slug.split('_', 1)
  const labels = namespace.split('.').reverse()
  const domain = labels.join('.')
  if (labels.length < 2 || domain.length > MAX_DOMAIN || GITHUB.test(domain)) return undefined
  if (!labels.every((label) => LABEL.test(label)) || !/^[a-z]/.test(labels.at(-1) ?? '')) return undefined
  // A label that claims to be an international one and is none.
  return URL.canParse(addressOf(domain)) && new URL(addressOf(domain)).hostname === domain ? domain : undefined
}

/** The beginning of the slugs of a domain's names. */
export const prefixOf = (domain: string): string => `${domain.split('.').reverse().join('.')}_`

export const addressOf = (domain: string): string => `https://${domain}/.well-known/mcp-registry-auth`

/** A whole line; the last letter of a key of 32 bytes has no bits beyond them. */
const RECORD = /^v=MCPv1;\s*k=ed25519;\s*p=([A-Za-z\d+/]{42}[AEIMQUYcgkosw048]=);?$/

/** The Ed25519 keys that an answer names, one a line, each once. Records of other keys are left out. */
export function keysIn(body: string): string[] {
  const found = body.split(/\r?\n/).map((line) => RECORD.exec(line.trim())?.[1])
  return [...new Set(found.filter((key) => key !== undefined))]
}

/**
 * What a domain says by an answer: its keys, none where it has no such file, or leads elsewhere. Undefined where that is no word of the domain
 * about its keys, as when it is out of order or wants fewer questions.
 */
export function saidBy({
  status,
  body,
  isCut,
}: {
  status: number
  body: Buffer
  isCut: boolean
}): string[] | undefined {
  if (status === 200) return isCut ? [] : keysIn(body.toString('utf8'))
  return (status > 200 && status < 400) || status === 404 || status === 410 ? [] : undefined
}
