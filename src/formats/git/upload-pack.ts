// What a server of git answers over HTTP to who fetches one commit without parents, in the protocols of version 0 and 2
// (git-scm.com/docs/gitprotocol-http, gitprotocol-pack, gitprotocol-v2). Everything is sent, also to a client that has some of it: it is one commit.
import { DELIM, FLUSH, onDataBand, type Packet, packet, readPackets } from './packets.ts'

export interface Repository {
  /** The name of its commit, in hex. */
  head: string
  pack: Uint8Array
}

export type Version = 0 | 2

const BRANCH = 'refs/heads/main'
const FORMAT = 'object-format=sha1'
const AGENT = 'agent=guildhall'
/** Of `deepen`, as git has it. */
const MAX_DEPTH = 2_147_483_647

/** The version that a client asks for in the header Git-Protocol; version 1 has nothing that version 0 lacks. */
export const versionOf = (asked: string | null): Version => (asked?.split(':').includes('version=2') ? 2 : 0)

/** What a client sees first: the branch, and what the server can do. */
export function advertisement(version: Version, { head }: Pick<Repository, 'head'>): Buffer {
  if (version === 2) {
    const lines = ['version 2', AGENT, 'ls-refs', 'fetch=shallow', FORMAT]
    return Buffer.concat([...lines.map(packet), FLUSH])
  }
  const can = `side-band-64k shallow no-progress ofs-delta symref=HEAD:${BRANCH} ${FORMAT} ${AGENT}`
  return Buffer.concat([
    packet('# service=git-upload-pack'),
    FLUSH,
    packet(`${head} HEAD\0${can}`),
    packet(`${head} ${BRANCH}`),
    FLUSH,
  ])
}

/** Says why a request cannot be done. */
class Refusal extends Error {}

/** @throws PacketError for what is no request */
export function answerTo(version: Version, body: Buffer, repository: Repository): Iterable<Uint8Array> {
  const packets = readPackets(body)
  try {
    return version === 2 ? answerCommand(packets, repository) : answerWants(packets, repository)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return [packet(`ERR upload-pack: ${error.message}`)]
  }
}

function answerCommand(packets: readonly Packet[], repository: Repository): Iterable<Uint8Array> {
  const [first] = packets
  if (first === undefined || first === 'flush') return []
  const split = packets.indexOf('delim')
  const end = packets.indexOf('flush')
  const said = linesOf(packets.slice(0, split < 0 ? end : split))
  const given = split < 0 ? [] : linesOf(packets.slice(split + 1, end))
  if (end !== packets.length - 1) throw new Refusal('expected one command, and a flush after it')
  requireFormat(said)
  const [command] = said
  if (command === 'command=ls-refs') return refs(given, repository)
  if (command === 'command=fetch') return fetched(given, repository)
  throw new Refusal('unknown command')
}

const linesOf = (packets: readonly Packet[]): string[] =>
  packets.map((one) => {
    if (typeof one === 'string') throw new Refusal('expected a line')
    return one.line
  })

function requireFormat(capabilities: readonly string[]): void {
  const other = capabilities.find((one) => one.startsWith('object-format=') && one !== FORMAT)
  if (other !== undefined) throw new Refusal('expected object-format=sha1')
}

function refs(given: readonly string[], { head }: Repository): Buffer[] {
  const target = given.includes('symrefs') ? ` symref-target:${BRANCH}` : ''
  return [packet(`${head} HEAD${target}`), packet(`${head} ${BRANCH}`), FLUSH]
}

/** Options that change nothing where everything is sent. */
const ANYHOW = new Set(['thin-pack', 'no-progress', 'include-tag', 'ofs-delta', 'deepen-relative', 'wait-for-done'])

function fetched(given: readonly string[], repository: Repository): Iterable<Uint8Array> {
  const asked = { haves: 0, wants: 0, isDone: false, isDeepened: false }
  for (const line of given) {
    if (ANYHOW.has(line)) continue
    if (line === 'done') asked.isDone = true
    else note(line, asked, repository)
  }
  if (asked.wants === 0) throw new Refusal('expected a want')
  if (asked.haves > 0 && !asked.isDone) return [packet('acknowledgments'), packet('NAK'), FLUSH]
  const before = asked.isDeepened ? [packet('shallow-info'), DELIM] : []
  return inTurn([...before, packet('packfile')], onDataBand(repository.pack), [FLUSH])
}

interface FetchRequest {
  wants: number
  haves: number
  isDeepened: boolean
}

/** What is the same in both versions; a commit without parents is whole at any depth. */
function note(line: string, asked: FetchRequest, { head }: Repository): void {
  const [, word = '', value = ''] = /^(want|have|shallow|deepen) (\w+)$/.exec(line) ?? []
  if (word === 'deepen') {
    if (!/^[1-9][0-9]{0,9}$/.test(value) || Number(value) > MAX_DEPTH) throw new Refusal('invalid deepen')
    asked.isDeepened = true
    return
  }
  if (!/^[0-9a-f]{40}$/.test(value)) throw new Refusal('unexpected line')
  if (word === 'want') {
    if (value !== head) throw new Refusal(`not our ref ${value}`)
    asked.wants++
  }
  if (word === 'have') asked.haves++
}

/** Version 0: what is wanted, then what the client has; each request says all of it again. */
function answerWants(packets: readonly Packet[], repository: Repository): Iterable<Uint8Array> {
  const end = packets.indexOf('flush')
  if (packets.length === 0 || end === 0) return []
  if (end < 0) throw new Refusal('expected a flush after what is wanted')
  const [first = '', ...others] = linesOf(packets.slice(0, end))
  const [, want = first, said = ''] = /^(want \w+)(?: (.*))?$/.exec(first) ?? []
  const capabilities = said.split(' ')
  requireFormat(capabilities)
  const asked = { haves: 0, wants: 0, isDeepened: false }
  for (const line of [want, ...others]) note(line, asked, repository)
  if (asked.wants === 0) throw new Refusal('expected a want')
  const rest = packets.slice(end + 1)
  const isDone = rest.some((one) => typeof one === 'object' && one.line === 'done')
  for (const one of rest) if (typeof one === 'object' && one.line !== 'done') note(one.line, asked, repository)
  const before = [...(asked.isDeepened ? [FLUSH] : []), ...(rest.length > 0 ? [packet('NAK')] : [])]
  if (!isDone) return before
  const { pack } = repository
  return capabilities.includes('side-band-64k') ? inTurn(before, onDataBand(pack), [FLUSH]) : inTurn(before, [pack])
}

function* inTurn(...parts: Iterable<Uint8Array>[]): Generator<Uint8Array> {
  for (const part of parts) yield* part
}
