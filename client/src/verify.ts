// Checks that a version is what its publisher and everybody else got: its signed statement, its place in the public log, and that the log
// is the one that was seen before. A bundle is checked without the server.
import type { Operations } from './derived/api.ts'
import { GuildhallError } from './errors.ts'
import { fromBase64, sha256, toBase64, toHex, utf8 } from './verify-bytes.ts'
import { isSigned } from './verify-ed25519.ts'
import { isConsistent, isIncluded, leafHash } from './verify-merkle.ts'
import { type Checkpoint, isNoteSigned, type NoteKey, readCheckpoint, readKey } from './verify-note.ts'

type Proof = Awaited<ReturnType<Operations['transparency']['findProof']>>

/** Everything that proves a version; keep it beside the file. */
export interface ProofBundle extends Proof {
  /** `kind/slug`. */
  name: string
  version: string
}

/** What was seen of a log: keep it for each server. */
export interface SeenLog {
  /** The key of the log, which was trusted when it was first seen. */
  key: string
  /** The newest checkpoint: its leaves, and its root in base64. */
  size: number
  root: string
  /** Roots of earlier checkpoints that were shown to be of the same log, by their sizes. */
  earlier: Record<string, string>
}

/** Why something is not to be trusted. */
export type Doubt =
  | 'malformed'
  | 'key'
  | 'statement'
  | 'artifact'
  | 'checkpoint'
  | 'inclusion'
  | 'consistency'
  | 'witness'

/** The check failed. What it was about is not to be used. */
export class VerifyError extends Error {
  readonly doubt: Doubt

  constructor(doubt: Doubt, message: string) {
    super(message)
    this.name = 'VerifyError'
    this.doubt = doubt
  }
}

/** A team as a statement names it. */
export interface OwningTeam {
  type: 'team'
  id: string
  slug: string
}

export interface Verified {
  name: string
  version: string
  sha256: string
  /** When it was published, and by whom; null once the account is erased. */
  time: string
  publisher: { id: string; username: string | null } | null
  /** The team that owned the item then, by its slug of that time; null where it had none, or the server was from before teams. */
  owner: OwningTeam | null
  /** Whether the publisher signed too, and with which key. */
  publisherKey: string | null
  /** Its place in the log. */
  index: number
  /** Names of the witnesses that signed the checkpoint, of those that were given. */
  witnesses: string[]
  /** What to keep for the next time. */
  seen: SeenLog
}

const EARLIER = 1_000
const WAIT_MILLISECONDS = 500

interface Wanted {
  kind: 'workflow' | 'automation' | 'org'
  slug: string
  version: string
  seen?: SeenLog | undefined
  /** A version of this moment is not in the log yet: how long to wait for it, 10 seconds unless told. */
  waitSeconds?: number
}

/** The bundle of a version, from the server. It is not verified. */
export async function fetchProofBundle(
  client: Pick<Operations, 'transparency'>,
  { kind, slug, version, seen, waitSeconds = 10 }: Wanted,
): Promise<ProofBundle> {
  for (let tries = (waitSeconds * 1_000) / WAIT_MILLISECONDS; ; tries--) {
    try {
      const input = { kind, slug, version, ...(seen && { seen: seen.size }) }
      return { ...(await client.transparency.findProof(input)), name: `${kind}/${slug}`, version }
    } catch (error) {
      const isWaiting = error instanceof GuildhallError && error.status === 404 && /in the log yet/.test(error.message)
      if (!isWaiting || tries <= 0) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, WAIT_MILLISECONDS))
  }
}

export interface Expected {
  /** Of the file, in hex. */
  sha256: string
  /** What was seen of the log; the first time its key is trusted. */
  seen?: SeenLog | undefined
  /** Keys of witnesses as `name+id+key`, and how many of them must have signed; 0 unless told. */
  witnesses?: readonly string[]
  quorum?: number
}

/** Checks a bundle against the file and against what was seen of the log. Throws VerifyError. */
export async function verifyBundle(bundle: ProofBundle, expected: Expected): Promise<Verified> {
  const key = keyOf(bundle, expected.seen)
  const said = await verifyStatement(bundle, { key, sha256: expected.sha256 })
  const checkpoint = await verifyCheckpoint(bundle, key)
  verifyInclusion(bundle, said, checkpoint)
  const seen = verifyConsistency(bundle, checkpoint, expected.seen)
  const witnesses = await witnessesOf(checkpoint, expected.witnesses ?? [])
  if (witnesses.length < (expected.quorum ?? 0))
    throw new VerifyError('witness', `Only ${witnesses.length} of the witnesses signed the checkpoint`)
  const { name, version, time, publisher, owner = null } = said.predicate
  const { index } = bundle
  const publisherKey = said.publisherKey
  return { name, version, sha256: expected.sha256, time, publisher, owner, publisherKey, index, witnesses, seen }
}

function keyOf({ key: text }: ProofBundle, seen: SeenLog | undefined): NoteKey {
  const key = readKey(text)
  if (!key) throw new VerifyError('malformed', 'The bundle has no key of a log')
  if (seen && seen.key !== text)
    throw new VerifyError('key', 'The log has another key than before: it is not the log that was seen')
  return key
}

interface Statement {
  subject: { digest: { sha256: string } }[]
  predicateType: string
  predicate: Pick<Verified, 'name' | 'version' | 'time' | 'publisher'> & { item: string; owner?: OwningTeam }
  publisherKey: string | null
}

const TYPE = 'application/vnd.in-toto+json'

/** What is signed in an envelope (DSSE v1, pre-authentication encoding). */
const encodingOf = (payload: Uint8Array) =>
  utf8(`DSSEv1 ${TYPE.length} ${TYPE} ${payload.length} ${new TextDecoder().decode(payload)}`)

/** What a publisher signs, and what it is about. `name` is `kind/slug`. */
export interface ToSign {
  message: Uint8Array
  item: string
  name: string
  version: string
  sha256: string
  /** Who published it and when, and the team that owned the item then. */
  publisher: Verified['publisher']
  time: string
  owner: OwningTeam | null
}

/**
 * What a publisher signs of a statement, after a look at what it is about: of one that was published, or of a draft, whose slug and version
 * the server may have chosen. Throws VerifyError where that is something else.
 */
export function statementToSign(
  { payload: encoded, payloadType }: Pick<ProofBundle['statement'], 'payload' | 'payloadType'>,
  { kind, slug, version }: Pick<Wanted, 'kind'> & Partial<Pick<Wanted, 'slug' | 'version'>>,
): ToSign {
  const payload = fromBase64(encoded)
  if (!payload || payloadType !== TYPE) throw new VerifyError('malformed', 'The statement is malformed')
  const { predicate, subject } = parse<Statement>(new TextDecoder().decode(payload))
  const { name, item, publisher, time, owner = null } = predicate
  const isNamed = slug === undefined ? name.startsWith(`${kind}/`) : name === `${kind}/${slug}`
  if (!isNamed || (version !== undefined && predicate.version !== version))
    throw new VerifyError('statement', `The statement is about ${name} ${predicate.version}`)
  const sha256 = subject[0]?.digest.sha256 ?? ''
  return { message: encodingOf(payload), item, name, version: predicate.version, sha256, publisher, time, owner }
}

/** The envelope is signed, and says what the file is. */
async function verifyStatement(
  { statement, publisher_key, name, version }: ProofBundle,
  { key, sha256: digest }: { key: NoteKey; sha256: string },
): Promise<Statement & { digest: string }> {
  const payload = fromBase64(statement.payload)
  if (!payload || statement.payloadType !== TYPE) throw new VerifyError('malformed', 'The statement is malformed')
  const message = encodingOf(payload)
  const isBy = async (keyid: string, bytes: Uint8Array) => {
    const signature = fromBase64(statement.signatures.find((one) => one.keyid === keyid)?.sig ?? '')
    return signature !== undefined && isSigned({ message, signature, key: bytes })
  }
  if (!(await isBy(`${key.name}+${key.id}`, key.key)))
    throw new VerifyError('statement', 'The statement is not signed with the key of the log')
  const own = publisher_key && fromBase64(publisher_key.public_key)
  if (publisher_key && !(own && (await isBy(publisher_key.keyid, own))))
    throw new VerifyError('statement', 'The signature of the publisher does not verify')
  const said = parse<Statement>(new TextDecoder().decode(payload))
  if (said.predicateType !== 'urn:guildhall:publication:v1')
    throw new VerifyError('malformed', 'The statement is of another type')
  if (said.predicate.name !== name || said.predicate.version !== version)
    throw new VerifyError('statement', `The statement is about ${said.predicate.name} ${said.predicate.version}`)
  if (said.subject[0]?.digest.sha256 !== digest)
    throw new VerifyError('artifact', `The file of ${name} ${version} is not the one that was published`)
  return { ...said, publisherKey: publisher_key?.public_key ?? null, digest: toHex(sha256(payload)) }
}

async function verifyCheckpoint({ checkpoint: note }: ProofBundle, key: NoteKey): Promise<Checkpoint> {
  const checkpoint = readCheckpoint(note)
  if (!checkpoint) throw new VerifyError('malformed', 'The checkpoint is malformed')
  if (checkpoint.origin !== key.name || !(await isNoteSigned(checkpoint, key)))
    throw new VerifyError('checkpoint', 'The checkpoint is not signed with the key of the log')
  return checkpoint
}

interface Leaf {
  type: string
  name: string
  version: string
  sha256: string
  statement: string
}

/** The leaf is about this version and its statement, and it is in the tree. */
function verifyInclusion(bundle: ProofBundle, said: Statement & { digest: string }, { size, root }: Checkpoint): void {
  const leaf = parse<Leaf>(bundle.entry)
  const { name, version } = bundle
  const isAbout = leaf.type === 'publish' && leaf.name === name && leaf.version === version
  if (!isAbout || leaf.statement !== said.digest || leaf.sha256 !== said.subject[0]?.digest.sha256)
    throw new VerifyError('inclusion', `The log has something else about ${name} ${version}`)
  const { index, hashes, entry } = bundle
  if (!isIncluded(leafHash(utf8(entry)), hashesOf(hashes), { index, size, root }))
    throw new VerifyError('inclusion', `${name} ${version} is not in the log`)
}

/** The log is that which was seen: the older of the two trees is the beginning of the newer. */
function verifyConsistency(
  { key, consistency }: ProofBundle,
  { size, root }: Checkpoint,
  seen: SeenLog | undefined,
): SeenLog {
  const now = { key, size, root: toBase64(root) }
  if (!seen || seen.size === 0) return { ...now, earlier: {} }
  const known = seen.size === size ? seen.root : seen.earlier[size]
  if (known !== undefined) {
    if (known !== now.root)
      throw new VerifyError('consistency', 'The log was written again: a tree that was seen has another root')
    return seen
  }
  const before = { size: seen.size, root: fromBase64(seen.root) ?? new Uint8Array() }
  const isNewer = size > seen.size
  const [old, head] = isNewer ? [before, { size, root }] : [{ size, root }, before]
  if (consistency?.old !== old.size || !isConsistent(hashesOf(consistency.hashes), old, head))
    throw new VerifyError('consistency', 'The log does not continue what was seen of it')
  const other: Record<string, string> = isNewer ? { [seen.size]: seen.root } : { [size]: now.root }
  const earlier = Object.fromEntries(Object.entries({ ...seen.earlier, ...other }).slice(-EARLIER))
  return isNewer ? { ...now, earlier } : { ...seen, earlier }
}

async function witnessesOf(checkpoint: Checkpoint, witnesses: readonly string[]): Promise<string[]> {
  const names: string[] = []
  for (const text of witnesses) {
    const key = readKey(text)
    if (!key) throw new VerifyError('malformed', `${text} is no key of a witness`)
    if (await isNoteSigned(checkpoint, key)) names.push(key.name)
  }
  return names
}

const hashesOf = (hashes: readonly string[]) => hashes.map((hash) => fromBase64(hash) ?? new Uint8Array())

function parse<Value>(text: string): Value {
  try {
    return JSON.parse(text) as Value
  } catch {
    throw new VerifyError('malformed', 'The bundle has something that is no JSON')
  }
}
