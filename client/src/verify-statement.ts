// Checks what a server signs of a version: its statement, which every version has, also one that is in no log.
import {
  fromBase64,
  isEnvelopeSigned,
  type NoteKey,
  PAYLOAD_TYPE,
  parseVkey,
  preAuthEncoding,
  type Statement,
  sha256,
  toHex,
} from '@guildhall/verifiable'
import type { Operations } from './derived/api.ts'
import { VerifyError } from './verify-error.ts'

type Proof = Awaited<ReturnType<Operations['transparency']['findProof']>>

/** A statement, as a proof has it or alone. `name` is `kind/slug`. */
export interface StatementBundle extends Pick<Proof, 'statement' | 'publisher_key'> {
  name: string
  version: string
}

/** A team as a statement names it. */
export interface OwningTeam {
  type: 'team'
  id: string
  slug: string
}

/** What a statement says of a version, checked. */
export interface Stated {
  /** The id of the item, which keeps it when its name changes. */
  item: string
  name: string
  version: string
  sha256: string
  /** Of the file, in bytes. */
  size: number
  /** When it was published, and by whom; null once the account is erased. */
  time: string
  publisher: { id: string; username: string | null } | null
  /** The team that owned the item then, by its slug of that time; null where it had none, or the server was from before teams. */
  owner: OwningTeam | null
  /** The run of a CI that published it; null where a person or another program did. */
  run: BuildRun | null
  /** Who agreed to it, where it waited for that; null too once the account is erased. */
  approver: { id: string; username: string | null } | null
  /** Whether the publisher signed too, and with which key. */
  publisherKey: string | null
  /** When that key was revoked, as the server said with the bundle: later than `time`. Null while it is not. */
  keyRevokedAt: string | null
}

/** What the ID token of a run said, by the word of the server. */
export interface BuildRun {
  /** Where its code is. */
  repository: string
  commit: string
  workflow: string
  ref: string
  /** The page of the run. */
  url: string
}

/** As SLSA Provenance v1 has it (docs/spec/behaviour.md, section 4). */
interface Provenance {
  buildDefinition: {
    externalParameters: { workflow: { repository: string; path: string; ref: string } }
    resolvedDependencies: { digest: { gitCommit: string } }[]
  }
  runDetails: { metadata: { invocationId: string } }
}

type Publication = Statement<
  Pick<Stated, 'item' | 'name' | 'version' | 'size' | 'time' | 'publisher'> & {
    owner?: OwningTeam
    provenance?: Provenance
    approver?: Stated['approver']
  }
>

/** The run that a statement names. */
function runIn(provenance: Provenance | undefined): BuildRun | null {
  if (!provenance) return null
  const { externalParameters, resolvedDependencies } = provenance.buildDefinition
  const { repository, path: workflow, ref } = externalParameters.workflow
  const commit = resolvedDependencies[0]?.digest.gitCommit ?? ''
  return { repository, commit, workflow, ref, url: provenance.runDetails.metadata.invocationId }
}

type EncodedPayload = Pick<Proof['statement'], 'payload' | 'payloadType'>

/** The payload of an envelope. Throws VerifyError. */
function readPayload({ payload, payloadType }: EncodedPayload): Uint8Array {
  const bytes = fromBase64(payload)
  if (!bytes || payloadType !== PAYLOAD_TYPE) throw new VerifyError('malformed', 'The statement is malformed')
  return bytes
}

/** What a payload says. Throws VerifyError. */
const publicationIn = (payload: Uint8Array) => parse<Publication>(new TextDecoder().decode(payload))

/** What a publisher signs, and what it is about. `name` is `kind/slug`. */
export interface ToSign {
  message: Uint8Array
  item: string
  name: string
  version: string
  sha256: string
  /** Who published it and when, and the team that owned the item then. */
  publisher: Stated['publisher']
  time: string
  owner: OwningTeam | null
  run: BuildRun | null
  approver: Stated['approver']
}

/**
 * What a publisher signs of a statement, after a look at what it is about: of one that was published, or of a draft, whose slug and version
 * the server may have chosen. Throws VerifyError where that is something else.
 */
export function statementToSign(
  statement: EncodedPayload,
  { kind, slug, version }: { kind: string; slug?: string; version?: string },
): ToSign {
  const payload = readPayload(statement)
  const { predicate, subject } = publicationIn(payload)
  const { name, item, publisher, time, owner = null, approver = null } = predicate
  const isNamed = slug === undefined ? name.startsWith(`${kind}/`) : name === `${kind}/${slug}`
  if (!isNamed || (version !== undefined && predicate.version !== version))
    throw new VerifyError('statement', `The statement is about ${name} ${predicate.version}`)
  const sha256 = subject[0]?.digest.sha256 ?? ''
  return {
    message: preAuthEncoding(PAYLOAD_TYPE, payload),
    item,
    name,
    version: predicate.version,
    sha256,
    publisher,
    time,
    owner,
    run: runIn(predicate.provenance),
    approver,
  }
}

/** The envelope is signed, and says what the file is. */
export async function verifyStatement(
  { statement, publisher_key, name, version }: StatementBundle,
  { key, sha256: digest }: { key: NoteKey; sha256: string },
): Promise<{ stated: Stated; digest: string }> {
  const payload = readPayload(statement)
  if (!(await isEnvelopeSigned(statement, { keyid: `${key.name}+${key.id}`, key: key.key })))
    throw new VerifyError(
      'statement',
      `The statement is not signed with the key of the log, ${key.name}+${key.id}, but by ${statement.signatures.map(({ keyid }) => keyid).join(', ')}`,
    )
  const own = publisher_key && fromBase64(publisher_key.public_key)
  if (publisher_key && !(own && (await isEnvelopeSigned(statement, { keyid: publisher_key.keyid, key: own }))))
    throw new VerifyError('statement', 'The signature of the publisher does not verify')
  const { predicate, predicateType, subject } = publicationIn(payload)
  if (predicateType !== 'urn:guildhall:publication:v1')
    throw new VerifyError('malformed', 'The statement is of another type')
  if (predicate.name !== name || predicate.version !== version)
    throw new VerifyError('statement', `The statement is about ${predicate.name} ${predicate.version}`)
  if (subject[0]?.digest.sha256 !== digest)
    throw new VerifyError(
      'artifact',
      `The file of ${name} ${version} is not the one that was published: its SHA-256 is ${digest}`,
    )
  const { item, size, time, publisher, owner = null, approver = null } = predicate
  const run = runIn(predicate.provenance)
  const publisherKey = publisher_key?.public_key ?? null
  const keyRevokedAt = revocationOf(publisher_key, time)
  const by = { time, publisher, owner, run, approver, publisherKey, keyRevokedAt }
  const stated = { item, name, version, sha256: digest, size, ...by }
  return { stated, digest: toHex(sha256(payload)) }
}

/** When the key was revoked. What was stated after that is not signed by its publisher. Servers from before said nothing of it. */
function revocationOf(
  key: Partial<NonNullable<StatementBundle['publisher_key']>> | undefined,
  time: string,
): string | null {
  const at = key?.revoked_at ?? null
  if (at === null) return null
  const [revoked, stated] = [Date.parse(at), Date.parse(time)]
  if (Number.isNaN(revoked) || Number.isNaN(stated))
    throw new VerifyError('malformed', 'The time of the statement or of the revocation of its key is malformed')
  if (revoked < stated)
    throw new VerifyError('revoked', `The key of the publisher was revoked at ${at}, before the statement of ${time}`)
  return at
}

/**
 * Checks the statement of a version against the file and the key of the log of its server, as `name+id+key`, for items that the public log
 * does not have. Throws VerifyError.
 */
export async function verifyStatedFile(
  bundle: StatementBundle,
  { key: text, sha256 }: { key: string; sha256: string },
): Promise<Stated> {
  return refusingMalformed(async () => {
    const key = parseVkey(text)
    if (!key) throw new VerifyError('malformed', `${text} is no key of a log`)
    return (await verifyStatement(bundle, { key, sha256 })).stated
  })
}

/** What a server sends may lack anything that the check reads. */
export async function refusingMalformed<Result>(check: () => Promise<Result>): Promise<Result> {
  try {
    return await check()
  } catch (error) {
    throw error instanceof TypeError ? new VerifyError('malformed', 'The bundle is malformed') : error
  }
}

/** JSON of the bundle. Throws VerifyError. */
export function parse<Value>(text: string): Value {
  try {
    return JSON.parse(text) as Value
  } catch {
    throw new VerifyError('malformed', 'The bundle has something that is no JSON')
  }
}
