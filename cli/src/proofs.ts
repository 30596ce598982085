// Proofs of installed items: checked when they come, and kept beside them, so that they can be checked again without the server.
import { mkdir, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { GuildhallError } from '../../client/src/errors.ts'
import { replaceFile } from '../../client/src/replace-file.ts'
import { isCode, takingTurns } from '../../client/src/turns.ts'
import { fetchProofBundle, otherKey, type ProofBundle, type SeenLog, verifyBundle } from '../../client/src/verify.ts'
import { VerifyError } from '../../client/src/verify-error.ts'
import { type Stated, type StatementBundle, verifyStatedFile } from '../../client/src/verify-statement.ts'
import type { Context } from './command.ts'
import { type ItemName, nameText } from './home.ts'
import { RefusedError } from './usage.ts'

const FOLDER = '.proofs'
const LOGS = 'logs.json'

/** A version that is installed, or is about to be. */
export interface Proven extends ItemName {
  server: string
  version: string
  /** Of the file, in hex. */
  sha256: string
  /** The key of the log that guildhall.lock has for it. */
  key?: string | undefined
}

/** The signed statement of a version that the public log does not have, such as one of a private item. */
interface StatementAlone extends StatementBundle {
  key: string
}

type Bundle = ProofBundle | StatementAlone

/** What was checked of a version. */
export interface Checked extends Stated {
  /** The key that signed it. */
  key: string
  /** Its place in the log; undefined for one that the log does not have. */
  index?: number
}

const bundlePath = (home: string, name: ItemName) => join(home, FOLDER, `${nameText(name)}.json`)

async function readJson<Value>(path: string): Promise<Value | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Value
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined
    throw new RefusedError('proof', `${path} cannot be read: ${(error as Error).message}`)
  }
}

type Logs = Record<string, SeenLog>

/** What was seen of the logs of all servers. */
const readLogs = async (home: string): Promise<Logs> => (await readJson<Logs>(join(home, FOLDER, LOGS))) ?? {}

/** What is known before a check: the key that the lock has, and what was seen of the log. */
interface VerificationKeys {
  sha256: string
  key: string | undefined
  seen: SeenLog | undefined
}

/** Throws VerifyError. */
async function check(bundle: Bundle, known: VerificationKeys): Promise<{ found: Checked; seen: SeenLog }> {
  if ('entry' in bundle) {
    const { seen, ...found } = await verifyBundle(bundle, known)
    return { found: { ...found, key: seen.key }, seen }
  }
  const { key } = bundle
  for (const trusted of [known.key, known.seen?.key])
    if (trusted !== undefined && trusted !== key) throw otherKey(key, trusted)
  const found = { ...(await verifyStatedFile(bundle, { key, sha256: known.sha256 })), key }
  return { found, seen: known.seen ?? { key, size: 0, root: '', earlier: {} } }
}

/** The check, with what is doubted as a refusal. */
async function checked(bundle: Bundle, known: VerificationKeys): Promise<{ found: Checked; seen: SeenLog }> {
  try {
    return await check(bundle, known)
  } catch (error) {
    if (error instanceof VerifyError)
      throw new RefusedError(`verify_${error.doubt}`, `${bundle.name}: ${error.message}`)
    throw error
  }
}

/** Proofs that were checked and are not kept yet. */
export interface Proofs {
  /** What each says, in the order of what was asked; undefined where the server has none, and no key was known before. */
  verified: (Checked | undefined)[]
  /** Keeps them, with what was seen of the logs. */
  keep(): Promise<void>
}

/**
 * Gets the proofs of versions that have none yet, and checks them against the files, the keys of guildhall.lock and the logs that were seen.
 * Where the key of a server is known, each of its versions must have a proof, or at least a statement, by that key.
 */
export async function proveVersions(context: Context, home: string, asked: readonly Proven[]): Promise<Proofs> {
  const logs = await readLogs(home)
  const bundles: [ItemName, Bundle][] = []
  const verified: Proofs['verified'] = []
  for (const proven of asked) {
    const { server, sha256, key } = proven
    const kept = await verifyKept(home, proven)
    const seen = logs[server]
    const bundle = kept ? undefined : await find(context, proven, seen)
    if (bundle) {
      const now = await checked(bundle, { sha256, key, seen })
      bundles.push([proven, bundle])
      logs[server] = now.seen
      verified.push(now.found)
    } else verified.push(kept ?? none(proven, key ?? seen?.key))
  }
  return { verified, keep: () => keep(home, bundles, logs) }
}

function none({ version, server, ...name }: Proven, key: string | undefined): undefined {
  if (key === undefined) return undefined
  throw new RefusedError(
    'unproven',
    `${server} has no proof of ${nameText(name)} ${version} by the key that is known of it: ${key}`,
  )
}

/** The proof of a version; its statement where the log does not have it; undefined where there is neither. */
async function find(context: Context, proven: Proven, seen: SeenLog | undefined): Promise<Bundle | undefined> {
  const { kind, slug, version, server, key = seen?.key } = proven
  const client = await context.client({ url: server })
  const proof = await found(fetchProofBundle(client, { kind, slug, version, seen }))
  if (proof) return proof
  const signed = await found(client.transparency.findStatement({ kind, slug, version }))
  const known = signed && (key ?? (await logKey(context, server)))
  if (!signed || !known) return undefined
  const { publisher_key, ...statement } = signed
  return { name: nameText(proven), version, statement, ...(publisher_key && { publisher_key }), key: known }
}

/**
 * What the server proves of a version now; undefined where it has neither proof nor statement. Nothing is kept. Throws VerifyError for what
 * does not hold.
 */
export async function proveNow(context: Context, home: string, proven: Proven): Promise<Checked | undefined> {
  const { server, sha256, key } = proven
  const seen = (await readLogs(home))[server]
  const bundle = await find(context, proven, seen)
  return bundle && (await check(bundle, { sha256, key, seen })).found
}

/** What the server has; undefined for what is not there. One that says when to come again has it, but not yet. */
async function found<Answer>(asking: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await asking
  } catch (error) {
    const isMissing = error instanceof GuildhallError && error.status === 404
    if (isMissing && error.retryAfterSeconds === undefined) return undefined
    throw error
  }
}

/** The key of a log that is seen for the first time. */
async function logKey({ fetch, signal }: Context, server: string): Promise<string | undefined> {
  const response = await fetch(`${server}/log/key`, { signal })
  const text = await response.text()
  return response.ok ? text.trim() : undefined
}

/** Another command may have seen more of a log in the meantime: then that stays, and the proofs are asked for again later. */
async function keep(home: string, bundles: readonly [ItemName, Bundle][], logs: Logs): Promise<void> {
  if (bundles.length === 0) return
  const path = join(home, FOLDER, LOGS)
  await mkdir(join(home, FOLDER), { recursive: true })
  const write = async ([name, bundle]: [ItemName, Bundle]) => {
    await mkdir(dirname(bundlePath(home, name)), { recursive: true })
    await replaceFile(bundlePath(home, name), `${JSON.stringify(bundle)}\n`)
  }
  const writing = Promise.all(bundles.map(write))
  writing.catch(() => undefined)
  await takingTurns(`${path}.turn`, async () => {
    const known = await readLogs(home)
    for (const [server, log] of Object.entries(logs)) if ((known[server]?.size ?? 0) <= log.size) known[server] = log
    await replaceFile(path, `${JSON.stringify(known, null, 2)}\n`)
  })
  await writing
}

/** Checks the kept proof of a version without the server; undefined where none is kept. */
export async function verifyKept(home: string, proven: Proven): Promise<Checked | undefined> {
  const { version, sha256, key, server } = proven
  const bundle = await readJson<Bundle & { consistency?: unknown }>(bundlePath(home, proven))
  if (!bundle || bundle.name !== nameText(proven) || bundle.version !== version) return undefined
  const { consistency: _, ...kept } = bundle
  return (await checked(kept, { sha256, key, seen: (await readLogs(home))[server] })).found
}

/** Forgets the proof of an item that is removed. */
export const forgetProof = (home: string, name: ItemName): Promise<void> => rm(bundlePath(home, name), { force: true })
