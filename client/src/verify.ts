// Checks that a version is what its publisher and everybody else got: its signed statement, its place in the public log, and that the log
// is the one that was seen before. A bundle is checked without the server.
import {
  type Checkpoint,
  fromBase64,
  isConsistent,
  isIncluded,
  isNoteSigned,
  leafHash,
  type NoteKey,
  parseVkey,
  readCheckpoint,
  toBase64,
  utf8,
} from '@guildhall/verifiable'
import type { Item, Operations } from './derived/api.ts'
import { GuildhallError } from './errors.ts'
import { VerifyError } from './verify-error.ts'
import { parse, refusingMalformed, type Stated, verifyStatement } from './verify-statement.ts'

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

export interface Verified extends Stated {
  /** Its place in the log. */
  index: number
  /** Names of the witnesses that signed the checkpoint, of those that were given. */
  witnesses: string[]
  /** What to keep for the next time. */
  seen: SeenLog
}

const EARLIER = 1_000
const WAIT_MILLISECONDS = 500

interface VerificationRequest {
  kind: Item['kind']
  slug: string
  version: string
  seen?: SeenLog | undefined
  /** A version of this moment is not in the log yet: how long to wait for it, 10 seconds unless told. */
  waitSeconds?: number
}

/** The bundle of a version, from the server. It is not verified. */
export async function fetchProofBundle(
  client: Pick<Operations, 'transparency'>,
  { kind, slug, version, seen, waitSeconds = 10 }: VerificationRequest,
): Promise<ProofBundle> {
  for (let tries = (waitSeconds * 1_000) / WAIT_MILLISECONDS; ; tries--) {
    try {
      const input = { kind, slug, version, ...(seen && { seen: seen.size }) }
      return { ...(await client.transparency.findProof(input)), name: `${kind}/${slug}`, version }
    } catch (error) {
      const isWaiting = error instanceof GuildhallError && error.status === 404 && error.retryAfterSeconds !== undefined
      if (!isWaiting || tries <= 0) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, WAIT_MILLISECONDS))
  }
}

export interface Expected {
  /** Of the file, in hex. */
  sha256: string
  /** What was seen of the log; the first time its key is trusted, unless it is told. */
  seen?: SeenLog | undefined
  /** The key that the log must have, as `name+id+key`. */
  key?: string | undefined
  /** Keys of witnesses as `name+id+key`, and how many of them must have signed; 0 unless told. */
  witnesses?: readonly string[]
  quorum?: number
}

/** Checks a bundle against the file and against what was seen of the log. Throws VerifyError. */
export async function verifyBundle(bundle: ProofBundle, expected: Expected): Promise<Verified> {
  return refusingMalformed(async () => {
    const key = keyOf(bundle, expected)
    const said = await verifyStatement(bundle, { key, sha256: expected.sha256 })
    const checkpoint = await verifyCheckpoint(bundle, key)
    verifyInclusion(bundle, said, checkpoint)
    const seen = verifyConsistency(bundle, checkpoint, expected.seen)
    const witnesses = await witnessesOf(checkpoint, expected.witnesses ?? [])
    if (witnesses.length < (expected.quorum ?? 0))
      throw new VerifyError('witness', `Only ${witnesses.length} of the witnesses signed the checkpoint`)
    return { ...said.stated, index: bundle.index, witnesses, seen }
  })
}

function keyOf({ key: text }: ProofBundle, { seen, key: told = seen?.key }: Expected): NoteKey {
  const key = parseVkey(text)
  if (!key) throw new VerifyError('malformed', 'The bundle has no key of a log')
  for (const known of [told, seen?.key]) if (known !== undefined && known !== text) throw otherKey(text, known)
  return key
}

/** The error about a log that has another key than the one that is trusted. */
export const otherKey = (found: string, known: string): VerifyError =>
  new VerifyError(
    'key',
    `The log has another key than before, so it is not the log that was seen: ${found}, not ${known}`,
  )

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

type VerifiedStatement = Awaited<ReturnType<typeof verifyStatement>>

/** The leaf is about this version and its statement, and it is in the tree. */
function verifyInclusion(bundle: ProofBundle, { stated, digest }: VerifiedStatement, { size, root }: Checkpoint): void {
  const leaf = parse<Leaf>(bundle.entry)
  const { name, version } = bundle
  const isAbout = leaf.type === 'publish' && leaf.name === name && leaf.version === version
  if (!isAbout || leaf.statement !== digest || leaf.sha256 !== stated.sha256)
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
    const key = parseVkey(text)
    if (!key) throw new VerifyError('malformed', `${text} is no key of a witness`)
    if (await isNoteSigned(checkpoint, key)) names.push(key.name)
  }
  return names
}

const hashesOf = (hashes: readonly string[]) => hashes.map((hash) => fromBase64(hash) ?? new Uint8Array())
