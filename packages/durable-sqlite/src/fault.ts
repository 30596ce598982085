// Why a database cannot be used or written to, by the result codes of SQLite, and the words for it.
import { constants } from 'node:os'

/**
 * `broken` and `malformed` last until somebody acts; `full` and `busy` pass.
 * broken: the disk reported an error. malformed: the database's pages contradict each other.
 */
export type FaultKind = 'broken' | 'malformed' | 'full' | 'busy'

/** An error that names its kind itself. */
export class SqliteFault extends Error {
  readonly kind: FaultKind

  constructor(kind: FaultKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'SqliteFault'
    this.kind = kind
  }
}

/** What errors of the system and of SQLite have. */
interface Codes {
  message?: string
  code?: unknown
  /** The system's, negative. */
  errno?: number
  /** SQLite's result code. */
  errcode?: number
}

export const codesOf = (error: unknown): Codes => (error instanceof Error ? error : {})

/** How many errors of a chain of causes are looked at. */
const MAX_CAUSES = 5

/** An error and what caused it. */
function* chainOf(error: unknown): Generator<Error> {
  for (let depth = 0, at = error; depth < MAX_CAUSES && at instanceof Error; depth++, at = at.cause) yield at
}

/** Result codes of SQLite: primary ones, and extended ones that tell something else than theirs. */
const kinds: Record<number, FaultKind | undefined> = {
  // SQLITE_IOERR_NOMEM is about memory.
  [10 | (12 << 8)]: undefined,
  // SQLITE_IOERR_SHMSIZE: the memory that connections share is a file, which could not grow; nothing lasting is in it.
  [10 | (19 << 8)]: 'full',
  5: 'busy',
  6: 'busy',
  8: 'broken',
  10: 'broken',
  11: 'malformed',
  13: 'full',
  14: 'broken',
  26: 'malformed',
}

/** What the result code of this error of SQLite means; undefined for every other error. */
export function kindOfCode(error: unknown): FaultKind | undefined {
  const { code, errcode } = codesOf(error)
  if (code !== 'ERR_SQLITE_ERROR' || errcode === undefined) return undefined
  return errcode in kinds ? kinds[errcode] : kinds[errcode & 0xff]
}

/** The kind of fault behind an error or its causes; undefined where there is none. */
export function kindOf(error: unknown): FaultKind | undefined {
  for (const one of chainOf(error)) {
    const kind = one instanceof SqliteFault ? one.kind : kindOfCode(one)
    if (kind) return kind
  }
  return undefined
}

/** Whether a call to the system failed because a quota is used up: libuv has no name for EDQUOT, so its errno says it. */
export const isOverQuota = (error: unknown): boolean => codesOf(error).errno === -constants.errno.EDQUOT

/** Node has no words for it: "Unknown system error -122". */
const OVER_QUOTA = 'the quota of the disk is used up (EDQUOT)'

/** The words of an error and of everything that caused it, with the codes that operators search for. */
export function reasonOf(error: unknown): string {
  const words: string[] = []
  for (const one of chainOf(error)) {
    const { code } = codesOf(one)
    // If several addresses were tried, the error has no message.
    const inner = one instanceof AggregateError ? one.errors.map((part: Error) => part.message).join('; ') : ''
    const said = isOverQuota(one) ? OVER_QUOTA : one.message || inner || one.name
    words.push(typeof code === 'string' && said !== OVER_QUOTA && !said.includes(code) ? `${said} (${code})` : said)
  }
  return [...new Set(words)].join(': ')
}
