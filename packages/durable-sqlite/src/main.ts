// For the one process that writes to a database.
export { checkAtStart, listErrors, malformed } from './check.ts'
export { KeptLog, type KeptLogOptions } from './kept-log.ts'
export { type Place, WriteAheadLog } from './write-ahead-log.ts'
export { Writer } from './writer.ts'
