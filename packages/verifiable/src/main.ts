// What checks: for readers of a log, in Node and in browsers.
export { fromBase64, isSame, toBase64, toHex, utf8 } from './bytes.ts'
export { type Checkpoint, checkpointText, readCheckpoint } from './checkpoint.ts'
export { type Envelope, isEnvelopeSigned, preAuthEncoding } from './dsse.ts'
export { PAYLOAD_TYPE, type Statement, statementText } from './in-toto.ts'
export { isConsistent, isIncluded, leafHash, nodeHash, type TreeHead } from './merkle.ts'
export {
  isNoteSigned,
  type Note,
  type NoteKey,
  parseNote,
  parseVkey,
  parseWitnessKeys,
  vkeyOf,
} from './note.ts'
export { isSigned, sha256 } from './platform.ts'
export { type Hash, Sha256 } from './sha256.ts'
