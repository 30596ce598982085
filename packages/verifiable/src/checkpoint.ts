// Checkpoints of a log (c2sp.org/tlog-checkpoint): notes that say which log it is, how many leaves it has, and their root.
import { fromBase64, toBase64 } from './bytes.ts'
import { HASH_BYTES } from './merkle.ts'
import { type Note, parseSignature, splitNote } from './note.ts'

interface Head {
  /** The name of the log. */
  origin: string
  size: number
  root: Uint8Array
}

export interface Checkpoint extends Head, Note {}

/** The text of a checkpoint. */
export const checkpointText = ({ origin, size, root }: Head): string => `${origin}\n${size}\n${toBase64(root)}\n`

/** Reads a checkpoint; undefined where it is none. Lines that are no signature are left out, and signatures are not verified. */
export function readCheckpoint(note: string): Checkpoint | undefined {
  const { text = '', lines = [] } = splitNote(note) ?? {}
  const [origin = '', size = '', hash = ''] = text.split('\n')
  const root = fromBase64(hash)
  if (origin === '' || !/^(0|[1-9]\d{0,15})$/.test(size) || root?.length !== HASH_BYTES) return undefined
  const signatures = lines.flatMap((line) => parseSignature(line) ?? [])
  return { origin, size: Number(size), root, text, signatures }
}
